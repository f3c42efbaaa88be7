/** Acts as the files of commands write them: `type class impact extent holds …`, in one text. */

import {
  type DataClassification,
  dataClassifications,
  type Reversibility,
  reversibilities
} from "../../domain/Action.ts"
import { type Act, type ActClass, actClasses, type ActExtent, extents, type Impact, impacts } from "./Act.ts"

export interface CommandAct extends Act {
  readonly unread: boolean
}

export const wordsOf = (text = ""): ReadonlyArray<string> => text.split(" ").filter((word) => word !== "")

const among = <A extends string>(list: ReadonlyArray<A>, word: string): word is A =>
  (list as ReadonlyArray<string>).includes(word)

const harmless: ReadonlyArray<ActClass> = ["internal", "simulate", "read"]

/** Throws on a word that is in none of the lists: the data is checked when a release is made, not when a command is read. */
export const parseAct = (text: string): CommandAct => {
  const [type = "", actClass = "", ...rest] = wordsOf(text)
  if (!type.includes(".") || !among(actClasses, actClass)) throw new Error(`No act: ${text}`)
  let impact: Impact | undefined = harmless.includes(actClass) ? "low" : undefined
  let extent: ActExtent = "single"
  let holds: DataClassification = "internal"
  let reversibility: Reversibility | undefined
  const marks = new Set<string>()
  for (const word of rest) {
    if (among(impacts, word)) impact = word
    else if (among(extents, word)) extent = word
    else if (among(dataClassifications, word)) holds = word
    else if (among(reversibilities, word)) reversibility = word
    else if (among(["anywhere", "credential", "weakens", "unread"], word)) marks.add(word)
    else throw new Error(`Unknown word ${word} in: ${text}`)
  }
  if (impact === undefined) throw new Error(`No impact: ${text}`)
  return {
    type,
    class: actClass,
    impact,
    extent,
    holds,
    anywhere: marks.has("anywhere"),
    credential: marks.has("credential"),
    weakens: marks.has("weakens"),
    unread: marks.has("unread"),
    ...(reversibility === undefined ? {} : { reversibility })
  }
}

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
