/** What Stripe calls actions, and how they are read. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("the names of Stripe's API", () => {
  readsAs(`
stripe.refunds.create                    | refund.create                     | transact single
stripe.refund.create                     | refund.create                     | transact single
Stripe:Refunds:Create                    | refund.create                     | transact single
stripe_refunds_create                    | refunds.create                    | transact bulk
refunds.create                           | refunds.create                    | transact bulk
stripe.refunds.list                      | refunds.list                      | read bulk
stripe.refunds.retrieve                  | refund.retrieve                   | read single
stripe.charges.create                    | charge.create                     | transact single
stripe.charges.capture                   | charge.capture                    | transact single
stripe.charges.list                      | charges.list                      | read bulk
stripe.payment_intents.create            | payment_intent.create             | transact single
stripe.paymentIntents.create             | payment_intent.create             | transact single
stripe.payment_intents.confirm           | payment_intent.confirm            | transact single
stripe.payment_intents.cancel            | payment_intent.cancel             | transact single
stripe.payouts.create                    | payout.create                     | transact single
stripe.payouts.list                      | payouts.list                      | read bulk
stripe.transfers.create                  | transfer.create                   | transact single
stripe.transfers.retrieve                | transfer.retrieve                 | read single
stripe.invoices.pay                      | invoice.pay                       | transact single
stripe.invoices.finalize_invoice         | invoice.charge                    | transact single
stripe.invoices.finalizeInvoice          | invoice.charge                    | transact single
stripe.invoices.send_invoice             | stripe_invoice.send               | communicate single
stripe.invoices.create                   | invoice.create                    | write single
stripe.invoices.void_invoice             | invoice.void                      | transact single
stripe.customers.create                  | customer.create                   | write single
stripe.customers.update                  | customer.update                   | write single
stripe.customers.del                     | customer.erase                    | delete single
stripe.customers.delete                  | customer.delete                   | delete single
stripe.customers.list                    | customers.list                    | read bulk
stripe.customers.search                  | customers.search                  | read bulk
stripe.subscriptions.create              | subscription.purchase             | transact single
stripe.subscriptions.update              | subscription.charge               | transact single
stripe.subscriptions.cancel              | subscription.cancel               | write single
stripe.coupons.create                    | coupon.create                     | write single
stripe.prices.update                     | price.update                      | write single
stripe.products.delete                   | product.delete                    | delete single
stripe.disputes.close                    | dispute.settle                    | transact single
stripe.disputes.update                   | dispute.update                    | write single
stripe.balance.retrieve                  | account_balance.retrieve          | read single
stripe.issuing.cards.create              | issuing_card.fund                 | transact single
stripe.treasury.outbound_payments.create | outbound_payment.pay              | transact single
stripe.webhook_endpoints.create          | webhook_endpoint.authorize        | access single
stripe.api_keys.roll                     | secret_key.rotate                 | access single      | credential
stripe.ephemeral_keys.create             | ephemeral_key.create              | access single      | credential
stripe.accounts.delete                   | connected_account.delete          | delete single
stripe.topups.create                     | topup.create                      | transact single
stripe.reporting.report_runs.create      | financial_report.export           | export bulk
stripe.customers.frobnicate              | customers_frobnicate.unclassified | unknown bulk
stripe.customer_sessions.create          | customer_sessions.create          | write bulk
stripe.credit_notes.create               | credit_note.credit                | transact single
`)
})
