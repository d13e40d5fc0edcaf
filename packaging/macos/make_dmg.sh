#!/usr/bin/env bash
# A disk image of Sinew.app: make_dmg.sh APP FOLDER
# Kernels are compiled where they run, hence the entitlements. Signed where SINEW_SIGN_AS names an identity of the
# keychain, and notarised where SINEW_NOTARY_PROFILE names a profile that `xcrun notarytool store-credentials` keeps.
set -euo pipefail
app=$1 folder=$2
here=$(cd "$(dirname "$0")" && pwd)
version=$(/usr/libexec/PlistBuddy -c "Print CFBundleShortVersionString" "$app/Contents/Info.plist")
image="$folder/sinew-$version-macos-$(uname -m).dmg"
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
if [ -n "${SINEW_SIGN_AS:-}" ]; then
  codesign --force --deep --options runtime --timestamp --entitlements "$here/entitlements.plist" --sign "$SINEW_SIGN_AS" "$app"
fi
ditto "$app" "$staging/Sinew.app"
ln -s /Applications "$staging/Applications"
hdiutil create -quiet -ov -volname "Sinew $version" -srcfolder "$staging" -format ULMO "$image"
if [ -n "${SINEW_SIGN_AS:-}" ]; then
  codesign --timestamp --sign "$SINEW_SIGN_AS" "$image"
fi
if [ -n "${SINEW_NOTARY_PROFILE:-}" ]; then
  xcrun notarytool submit "$image" --keychain-profile "$SINEW_NOTARY_PROFILE" --wait
  xcrun stapler staple "$image"
fi
