/** The result of reading a text as a command: its acts, and the acts that the readers themselves name. */

import type { Act } from "../Act.ts"

export type CommandLanguage = "shell" | "device" | "sql" | "any"

export interface HttpRequest {
  readonly method: string
  readonly url: string
  /** The body that is sent, to the extent that the text contains it. */
  readonly body: string
}

export interface CommandReading {
  /** Riskiest first. `command` names program and verb in our own words, never in the caller's text. */
  readonly acts: ReadonlyArray<ReadAct>
  /** A part was not understood: an unknown program, code in another language, or text that exists only at run time. */
  readonly unread: boolean
  /** Requests that the command sends to other hosts. */
  readonly requests: ReadonlyArray<HttpRequest>
  /** The commands of the text, and for each whether all its acts stay in the workspace. */
  readonly commands: ReadonlyArray<{ readonly span: Span; readonly isLocal: boolean }>
}

/** A range of characters, `[pos, end)`. */
export interface Span {
  readonly pos: number
  readonly end: number
}

export interface FoundAct {
  readonly command: string
  readonly act: CommandAct
  /** The lexicon entry: a program with a form as written in its file, or the name of an act in `commands.json`. */
  readonly line: string
}

/** An act with the command in the outermost text that performs it. Undefined span: the whole text. */
export interface LocatedAct extends FoundAct {
  readonly span: Span | undefined
  /** Acts on another machine or service that may be production, even if it changes nothing there. */
  readonly elsewhere: boolean
}

export type ReadAct = Act & Omit<LocatedAct, "act" | "elsewhere">

export interface CommandAct extends Act {
  readonly unread: boolean
}

/** Acts that the readers name themselves; each is defined in `lexicon/commands.json`. */
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
