/** Help goes to standard output; a wrong invocation is told in one line on standard error. */

import { Console } from "effect"
import { CliOutput } from "effect/cli"
import { errorLine } from "./errorLine.ts"

export const presenter = CliOutput.layerPresenter({
  present: (event) => {
    if (event._tag === "InvalidInvocation") {
      const problems = event.errors.map((error) => error.message).join("; ")
      return Console.error(errorLine(`${problems} (see ${event.commandPath.join(" ")} --help)`))
    }
    if (event._tag === "Help" && event.reason === "Implicit" && event.commandPath.length > 1) {
      const verbs = (event.helpDoc.subcommands ?? []).flatMap(({ commands }) =>
        commands.map(({ name }) => name)
      )
      return Console.error(errorLine(`${event.commandPath.join(" ")} needs one of ${verbs.join(", ")}`))
    }
    return CliOutput.defaultPresenter.present(event)
  }
})
