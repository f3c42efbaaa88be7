import { expect, it } from "vitest"
import { schemaOf } from "../../src/agents/fileShape.ts"
import { gateShape } from "../../src/agents/GateFile.ts"
import { toolsShape } from "../../src/agents/ToolsFile.ts"

it.each([
  ["gate", "action-risk.gate.json", gateShape],
  ["tools", "action-risk.tools.json", toolsShape]
])("schemas/%s.schema.json is what the code reads (npm run golden writes it)", async (name, title, shape) => {
  const text = `${JSON.stringify(schemaOf(shape, title), null, 2)}\n`
  await expect(text).toMatchFileSnapshot(`../../schemas/${name}.schema.json`)
})
