/** The hosts' own tools, which can be asked about without a mapping. A tool that is not listed here goes to a person. */

import type { OwnTool } from "../questionOfCall.ts"

export type OwnTools = Readonly<Record<string, OwnTool | null>>

const ownTool = (key: string): OwnTool | null => {
  if (key === "") return null
  if (key === "patch") return key
  return key === "url" ? { field: "destination", key, host: true } : { field: "target_resource", key }
}

/**
 * Maps tool names to the argument that shows what is done; "patch" for tools that take a patch, "" for tools whose name says everything.
 */
const toolsBy = (table: Readonly<Record<string, string>>): OwnTools =>
  Object.fromEntries(
    Object.entries(table).flatMap(([key, names]) => names.split(" ").map((name) => [name, ownTool(key)]))
  )

export const ownTools = {
  claudeCode: toolsBy({
    command: "Bash PowerShell Monitor",
    file_path: "Edit MultiEdit Write Read",
    notebook_path: "NotebookEdit",
    pattern: "Glob Grep",
    url: "WebFetch",
    "": "LS WebSearch Task Agent TodoWrite BashOutput KillShell ExitPlanMode EnterPlanMode AskUserQuestion Skill ToolSearch"
  }),
  codex: toolsBy({
    command: "Bash shell local_shell",
    cmd: "exec_command",
    file_path: "read_file",
    pattern: "grep_files",
    path: "view_image",
    patch: "apply_patch",
    "": "list_dir update_plan web_search"
  }),
  copilot: toolsBy({
    command: "bash powershell run_in_terminal",
    path: "create edit view list_dir",
    filePath: "create_file replace_string_in_file insert_edit_into_file edit_notebook_file read_file",
    dirPath: "create_directory",
    pattern: "grep rg glob",
    query: "grep_search file_search semantic_search",
    url: "web_fetch",
    patch: "apply_patch",
    "": "report_intent update_todo read_bash stop_bash ask_user multi_replace_string_in_file fetch_webpage manage_todo_list get_errors get_changed_files get_terminal_output terminal_selection terminal_last_command list_code_usages read_project_structure runSubagent"
  }),
  gemini: toolsBy({
    command: "run_shell_command",
    file_path: "write_file replace read_file",
    pattern: "glob grep_search search_file_content",
    "": "list_directory read_many_files web_fetch google_web_search save_memory write_todos"
  }),
  opencode: toolsBy({
    command: "bash",
    filePath: "edit write read",
    pattern: "glob grep",
    path: "list",
    url: "webfetch",
    patch: "apply_patch",
    "": "websearch codesearch task todowrite todoread question skill"
  }),
  cline: toolsBy({
    commands: "run_commands",
    path: "editor",
    patch: "apply_patch",
    "": "read_files search_codebase fetch_web_content skills ask_question submit_and_exit"
  }),
  cursor: toolsBy({
    command: "Shell",
    file_path: "Read Write Delete List ReadLints",
    pattern: "Grep",
    url: "Fetch",
    "": "Task WebSearch"
  }),
  generic: toolsBy({
    command: "Bash run_shell_command Execute execute_bash developer__shell",
    command_line: "pre_run_command",
    CommandLine: "run_command",
    file_path: "Write write_file Edit MultiEdit edit Create Read read_file pre_write_code pre_read_code",
    path: "fs_write developer__write developer__edit developer__tree",
    directory_path: "LS",
    pattern: "Grep grep_search glob",
    "": "Glob Task TaskOutput TaskStop TodoWrite todo_write ToolSearch Skill"
  })
} satisfies Record<string, OwnTools>
