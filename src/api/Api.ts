/** The whole HTTP contract, used by the server, the typed client, and the OpenAPI document. */

import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { ActionsGroup } from "./Actions.ts"
import { AssessmentsGroup } from "./Actions.ts"
import { EventsGroup } from "./Events.ts"
import { ExplanationsGroup } from "./Explanations.ts"
import { OutcomesGroup } from "./Outcomes.ts"
import { ReviewsGroup } from "./Reviews.ts"
import { StatisticsGroup } from "./Statistics.ts"
import { RulesGroup } from "./Rules.ts"
import { StatusGroup } from "./Status.ts"
import { WebhookDeliveriesGroup } from "./Webhooks.ts"
import { WebhookEndpointsGroup } from "./Webhooks.ts"
import { completeOpenApi } from "./openApi.ts"
import { webhookEventSchemas } from "./webhookEvents.ts"

export class Api extends HttpApi.make("action-risk")
  .add(
    ActionsGroup,
    AssessmentsGroup,
    ExplanationsGroup,
    ReviewsGroup,
    StatisticsGroup,
    EventsGroup,
    RulesGroup,
    OutcomesGroup,
    WebhookEndpointsGroup,
    WebhookDeliveriesGroup,
    StatusGroup
  )
  .annotate(
    HttpApi.AdditionalSchemas,
    webhookEventSchemas.map(([, schema]) => schema)
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Action risk",
      version: "v1",
      summary: "Ask how risky an action is before an AI agent takes it.",
      description:
        "Describe a proposed agent action before it runs and get a risk opinion: a score, a blast radius, the factors behind them and the strongest recommended control. Decision support only: the service never authorizes, denies or executes anything.",
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
      transform: completeOpenApi
    })
  ) {}

type Groups = (typeof Api)["groups"]

/** The names of all operations. The server must handle each of them. */
export type OperationId = HttpApiEndpoint.Identifier<HttpApiGroup.Endpoints<Groups[keyof Groups]>>
