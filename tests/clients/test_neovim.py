"""The language server in a real Neovim, through its built-in client, started as docs/editors.md tells."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tools import script

pytest.importorskip("pygls", reason="the language server needs pygls")
ROOT = Path(__file__).parent.parent
RECIPE = ROOT / "fixtures" / "recipes" / "daytona.py"
PAGE = (ROOT.parent / "docs" / "editors.md").read_text()
BAD = "--rollout-function-path miles.rollout.fully_async_rollout.FullyAsyncRolloutFn "
DRIVE = """
local told = {}

local function finish()
  vim.fn.writefile({ vim.fn.json_encode(told) }, "told.json")
  vim.cmd("quitall!")
end

local function wait(what, check)
  if not vim.wait(60000, check, 50) then
    told.missed = what
    finish()
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000) or {}
  for _, answer in pairs(answers) do
    return answer.result
  end
end

dofile("nvim.lua")
vim.cmd("filetype on")
vim.cmd("edit daytona.py")
wait("findings", function() return #vim.diagnostic.get(0) > 0 end)
told.findings = {}
for _, found in ipairs(vim.diagnostic.get(0)) do
  local sent = found.user_data and found.user_data.lsp or {}
  local seen = { row = found.lnum, column = found.col, source = found.source, code = found.code or sent.code }
  table.insert(told.findings, seen)
end
local found = vim.diagnostic.get(0)[1]
vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
told.hover = ask("textDocument/hover", vim.lsp.util.make_position_params(0, "utf-16")).contents.value
told.lens = ask("textDocument/codeLens", { textDocument = vim.lsp.util.make_text_document_params() })[1].command.title
told.offered = {}
vim.ui.select = function(items, _, choose)
  for index, item in ipairs(items) do
    local title = (item.action or item[2]).title
    table.insert(told.offered, title)
    if title:match("Replace with") then
      choose(item, index)
    end
  end
end
vim.lsp.buf.code_action()
wait("repair", function() return not text():find("--rollout-function-path", 1, true) end)
vim.cmd("write")
wait("clean", function() return #vim.diagnostic.get(0) == 0 end)
told.left = #vim.diagnostic.get(0)
finish()
"""


@pytest.fixture
def told(tmp_path: Path) -> dict[str, Any]:
    """What a session saw: open the recipe, look around, choose the repair, save."""
    editor = script("nvim")
    script("miles-lint")
    snippet = re.search(r"<!-- snippet: nvim\.lua -->\n```lua\n(.*?)```", PAGE, re.DOTALL)
    assert snippet is not None
    (tmp_path / "nvim.lua").write_text(snippet[1])
    (tmp_path / "drive.lua").write_text(DRIVE)
    (tmp_path / "daytona.py").write_text(RECIPE.read_text())
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "XDG_STATE_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    command = [editor, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile drive.lua"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240)
    log = "\n".join(each.read_text() for each in tmp_path.rglob("lsp.log"))
    assert (tmp_path / "told.json").exists(), done.stderr + log
    seen: dict[str, Any] = json.loads((tmp_path / "told.json").read_text())
    assert "missed" not in seen, f"no {seen['missed']}: {done.stderr} {log}"
    return {**seen, "saved": (tmp_path / "daytona.py").read_text()}


def test_open_see_repair_save(told: dict[str, Any]) -> None:
    before = RECIPE.read_text()
    row = before[: before.index(BAD)].count("\n")
    assert told["findings"] == [{"row": row, "column": 9, "source": "miles-lint", "code": "MIL001"}]
    assert told["hover"].startswith("**`--rollout-function-path`**")
    assert re.search(r"train_async\.py with \d+ arguments", told["lens"])
    assert told["offered"][:2] == [
        "miles-lint (MIL001): Replace with `--fully-async`",
        "miles-lint (MIL001): Disable for this line",
    ]
    assert told["saved"] == before.replace(BAD, "--fully-async ")
    assert told["left"] == 0
