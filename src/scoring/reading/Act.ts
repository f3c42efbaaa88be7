/** An act: one verb on one object, as the words of a call, a provider's catalogue or a command tell it, and as files of commands write it. */

import {
  type ActionClass,
  actionClasses,
  type DataClassification,
  dataClassifications,
  type Reversibility
} from "../../domain/Action.ts"

/** The attention that the bare act deserves in production, when nothing else is stated. Mildest first. */
export const impacts = ["low", "moderate", "high", "critical"] as const
export type Impact = (typeof impacts)[number]

/** How many things one such call touches. Narrowest first. */
export const extents = ["single", "list", "bulk", "everything"] as const
export type ActExtent = (typeof extents)[number]

export interface Act {
  /** `<object>.<verb>` */
  readonly type: string
  readonly class: ActionClass
  readonly impact: Impact
  readonly extent: ActExtent
  /** What the object usually holds. */
  readonly holds: DataClassification
  /** As grave from a laptop or a sandbox as from production. */
  readonly anywhere: boolean
  /** Creates, rotates or reveals keys, passwords, tokens or secrets. */
  readonly credential: boolean
  /** Removes or weakens a protection or a trace. */
  readonly weakens: boolean
  /** How hard it is to undo, where the act itself says so. */
  readonly reversibility?: Reversibility | undefined
}

/** The order of two readings: by impact, and of equal impact by class. Larger is riskier. */
export const riskOf = ({ class: own, impact }: Pick<Act, "class" | "impact">): number =>
  impacts.indexOf(impact) * actionClasses.length + actionClasses.indexOf(own)

/** The riskier of two acts; the first of two that are as risky. */
export const riskiest = <A extends Act>(a: A, b: A): A => (riskOf(a) >= riskOf(b) ? a : b)

/** The one that stands later in its order. */
export const higher = <A extends string>(order: ReadonlyArray<A>, a: A, b: A | undefined): A =>
  b !== undefined && order.indexOf(b) > order.indexOf(a) ? b : a

export const isExport = (act: Act): boolean => act.class === "export"

/** An act as it counts beside others that happen with it: what they reach, hold, take away or leave behind counts too. */
export const beside = <A extends Act>(act: A, others: ReadonlyArray<Act>): A => {
  let { anywhere, credential, extent, holds, weakens } = act
  for (const other of others) {
    extent = higher(extents, extent, other.extent)
    holds = higher(dataClassifications, holds, other.holds)
    anywhere ||= other.anywhere
    credential ||= other.credential
    weakens ||= other.weakens
  }
  return { ...act, anywhere, credential, extent, holds, weakens }
}

export interface CommandAct extends Act {
  readonly unread: boolean
}

export const wordsOf = (text = ""): ReadonlyArray<string> => text.split(" ").filter((word) => word !== "")

/** The acts of commands that the readers name themselves; `lexicon/commands.json` says what each of them is. */
export const namedActs = [
  "unknownProgram",
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
  "forkBomb",
  "scheduledRemoteCode",
  "httpRead",
  "httpWrite",
  "httpDelete",
  "httpLocal",
  "fileSent",
  "openBulkDelete",
  "sqlUnread",
  "sqlHarmless",
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
