/** The reading of a text as a command: its acts, and the acts that the readers name themselves. */

import type { Act } from "../Act.ts"

export type CommandLanguage = "shell" | "device" | "sql" | "any"

export interface HttpRequest {
  readonly method: string
  readonly url: string
  /** The body that is sent, as far as the text has it. */
  readonly body: string
}

export interface CommandReading {
  /** Riskiest first. `command` names program and verb in our words: it contains no text of the caller. */
  readonly acts: ReadonlyArray<ReadAct>
  /** A part was not understood: an unknown program, code of another language, a text that only exists when the command runs. */
  readonly unread: boolean
  /** Requests that it sends to other hosts. */
  readonly requests: ReadonlyArray<HttpRequest>
  /** The commands of the text, and whether all of their acts stay in the workspace. */
  readonly commands: ReadonlyArray<{ readonly span: Span; readonly isLocal: boolean }>
}

/** Characters of a text, `[pos, end)`. */
export interface Span {
  readonly pos: number
  readonly end: number
}

export interface FoundAct {
  readonly command: string
  readonly act: CommandAct
  /** The line of knowledge: a program with a form as its file writes it, or the name of an act of `commands.json`. */
  readonly line: string
}

/** An act with the command of the outermost text that does it. Undefined: all of the text. */
export interface LocatedAct extends FoundAct {
  readonly span: Span | undefined
  /** It acts on another machine or service that may be production, even if it changes nothing. */
  readonly elsewhere: boolean
}

export type ReadAct = Act & Omit<LocatedAct, "act" | "elsewhere">

export interface CommandAct extends Act {
  readonly unread: boolean
}

/** The acts of commands that the readers name themselves; `lexicon/commands.json` defines each of them. */
export const namedActs = [
  "unknownProgram",
  "plainProgram",
  "unknownForm",
  "unreadText",
  "tooLong",
  "ownCode",
  "evalCode",
  "decodedCode",
  "remoteCode",
  "remoteCodeAsRoot",
  "reverseShell",
  "secretRead",
  "secretSent",
  "dataSent",
  "guardChanged",
  "forkBomb",
  "scheduledRemoteCode",
  "httpRead",
  "httpWrite",
  "httpDelete",
  "httpLocal",
  "fileSent",
  "openBulkDelete",
  "sqlUnread",
  "nothingDone",
  "sqlRead",
  "sqlReadOne",
  "sqlReadMany",
  "sqlReadAll",
  "sqlCount",
  "sqlExplain",
  "sqlInsert",
  "sqlInsertMany",
  "sqlUpdateOne",
  "sqlUpdateMany",
  "sqlUpdateAll",
  "sqlUpdateAllVital",
  "sqlUpdateAccess",
  "sqlDeleteOne",
  "sqlDeleteMany",
  "sqlDeleteAll",
  "sqlDeleteAllVital",
  "sqlMerge",
  "sqlTruncate",
  "sqlDropContainer",
  "sqlDropTable",
  "sqlDropIndex",
  "sqlDropView",
  "sqlDropRoutine",
  "sqlDropProtection",
  "sqlDropTemporary",
  "sqlDropUser",
  "sqlDropColumn",
  "sqlRename",
  "sqlAlterTable",
  "sqlAlterSystem",
  "sqlAlterRoutine",
  "sqlCreate",
  "sqlReplaceTable",
  "sqlExplainedWrite",
  "sqlCreateIndex",
  "sqlCreateIndexConcurrently",
  "sqlCreateTemporary",
  "sqlCreateRoutine",
  "sqlCreateUser",
  "sqlAlterUser",
  "sqlGrant",
  "sqlSuperuser",
  "sqlRevoke",
  "sqlWeakens",
  "sqlCopyIn",
  "sqlCopyOut",
  "sqlRunsProgram",
  "sqlReadsFile",
  "sqlWritesFile",
  "sqlSleep",
  "sqlMaintain",
  "sqlMaintainLocking",
  "sqlTerminate",
  "sqlBackup",
  "sqlRestore",
  "mongoRead",
  "mongoWriteOne",
  "mongoWriteMany",
  "mongoDeleteOne",
  "mongoDeleteMany",
  "mongoDeleteAll",
  "mongoDrop",
  "mongoDropDatabase",
  "mongoIndex",
  "mongoUser",
  "mongoShutdown"
] as const
export type NamedAct = (typeof namedActs)[number]
