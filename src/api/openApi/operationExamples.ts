/** What OpenAPI shows of each operation that its schemas cannot say: its success in a sentence, and worked examples. */

import { exampleEvidence, exampleRequest, exampleResponse, exampleStatus } from "../examples.ts"
import { exampleList } from "../examples/exampleList.ts"
import { exampleClosing, exampleReview, exampleReviewList } from "../examples/exampleReview.ts"
import {
  exampleChanges,
  exampleDeliveryList,
  exampleEndpoint,
  exampleEndpointList,
  exampleEndpointRequest,
  exampleEndpointWithSecret,
  exampleQueued
} from "../examples/exampleWebhooks.ts"

interface Shown {
  /** What a success is. */
  readonly success: string
  /** Left out where a success has no body. */
  readonly answer?: object
  readonly request?: object
}

export const operationExamples: Readonly<Record<string, Shown>> = {
  assessAction: {
    success: "The risk opinion, complete or incomplete.",
    answer: exampleResponse,
    request: exampleRequest
  },
  getAssessment: { success: "The stored opinion, its request and its evidence.", answer: exampleEvidence },
  listActions: { success: "One page of assessed actions.", answer: exampleList },
  listReviews: { success: "One page of reviews.", answer: exampleReviewList },
  getReview: { success: "The review.", answer: exampleReview },
  closeReview: {
    success: "The review, closed; at a second time as the first one left it.",
    answer: exampleReview,
    request: exampleClosing
  },
  createWebhookEndpoint: {
    success: "The endpoint with its secret, which is shown in no other answer.",
    answer: exampleEndpointWithSecret,
    request: exampleEndpointRequest
  },
  listWebhookEndpoints: { success: "One page of webhook endpoints.", answer: exampleEndpointList },
  getWebhookEndpoint: { success: "The endpoint.", answer: exampleEndpoint },
  changeWebhookEndpoint: {
    success: "The endpoint as it is now.",
    answer: { ...exampleEndpoint, ...exampleChanges },
    request: exampleChanges
  },
  deleteWebhookEndpoint: { success: "The endpoint is gone." },
  rotateWebhookSecret: {
    success: "The endpoint with its new secret, which is shown in no other answer.",
    answer: exampleEndpointWithSecret
  },
  testWebhookEndpoint: { success: "The ping is queued.", answer: exampleQueued },
  listWebhookDeliveries: { success: "One page of deliveries.", answer: exampleDeliveryList },
  redeliver: { success: "The event is queued once more.", answer: exampleQueued },
  getStatus: { success: "The health of the service and of its components.", answer: exampleStatus }
}
