"""Files of these tests lie in memory."""

from tests.in_memory import tmp_path as tmp_path
