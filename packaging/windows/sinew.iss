; The installer for Windows, made by Inno Setup: iscc /DVersion=... /DProgram=FOLDER sinew.iss
; Signed where a sign tool of that name is configured: iscc /DSignWith=NAME
#ifndef Version
  #error Version is not given
#endif
#ifndef Program
  #define Program "..\..\build\dist\sinew"
#endif

[Setup]
AppId={{6E0B4E0C-2C53-4C0B-9C1B-2F6C1C0E7A11}
AppName=Sinew
AppVersion={#Version}
AppPublisher=The Sinew developers
DefaultDirName={autopf}\Sinew
DefaultGroupName=Sinew
DisableProgramGroupPage=yes
LicenseFile=..\..\LICENSE
OutputBaseFilename=sinew-{#Version}-windows-x86_64
SetupIconFile=..\..\build\pictures\sinew.ico
UninstallDisplayIcon={app}\sinew.exe
Compression=lzma2/max
SolidCompression=yes
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ChangesAssociations=yes
#ifdef SignWith
SignTool={#SignWith}
SignedUninstaller=yes
#endif

[Files]
Source: "{#Program}\*"; DestDir: "{app}"; Flags: recursesubdirs createallsubdirs ignoreversion

[Icons]
Name: "{group}\Sinew"; Filename: "{app}\sinew.exe"

[Registry]
Root: HKA; Subkey: "Software\Classes\.sinew"; ValueType: string; ValueData: "Sinew.Project"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Sinew.Project"; ValueType: string; ValueData: "Sinew project"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Sinew.Project\DefaultIcon"; ValueType: string; ValueData: "{app}\sinew.exe,0"
Root: HKA; Subkey: "Software\Classes\Sinew.Project\shell\open\command"; ValueType: string; ValueData: """{app}\sinew.exe"" ""%1"""

[Run]
Filename: "{app}\sinew.exe"; Description: "Start Sinew"; Flags: nowait postinstall skipifsilent
