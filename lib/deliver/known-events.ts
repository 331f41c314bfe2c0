/**
 * The JSON of events that many teams handle, by the provider and its own name of the type, with members that its public
 * examples show. A time is ISO 8601 if it is a text.
 */
export interface KnownEvents {
  clerk: Record<'user.created' | 'user.updated', ClerkEvent<ClerkUser>> &
    Record<'session.created', ClerkEvent<Record<'id' | 'user_id' | 'client_id' | 'status', string>>>
  /** What Gatehouse says of itself. */
  gatehouse: Record<`destination.${'opened' | 'recovered' | 'disabled'}`, GatehouseNews<'destination'>> &
    Record<'delivery.dead', GatehouseNews<'destination' | 'source' | 'eventId'>> &
    Record<'event.failed', GatehouseNews<'source' | 'eventId'>> &
    Record<'source.silent', GatehouseNews<'source'>>
  github: {
    push: GithubEvent<GithubPush>
    pull_request: GithubEvent<{ action: string; number: number; pull_request: GithubPullRequest }>
    issues: GithubEvent<{ action: string; issue: GithubIssue }>
  }
  gitlab: {
    'Push Hook': GitlabPush
    'Merge Request Hook': GitlabChange<GitlabIssue & Record<'source_branch' | 'target_branch', string>>
    'Issue Hook': GitlabChange<GitlabIssue>
  }
  linear: {
    Issue: LinearEvent<LinearIssue>
    Comment: LinearEvent<{ body: string; issue?: Record<'id' | 'title', string> | null; user?: LinearUser | null }>
    Project: LinearEvent<Record<'name' | 'description' | 'url', string> & { lead?: LinearUser | null }>
  }
  paddle: {
    'transaction.completed': PaddleEvent<PaddleTransaction>
    'subscription.created': PaddleEvent<PaddleSubscription & { transaction_id: string }>
    'subscription.canceled': PaddleEvent<PaddleSubscription>
  }
  resend: Record<'email.delivered' | 'email.opened', ResendEvent> &
    Record<'email.bounced', ResendEvent & { data: { bounce: Record<'message' | 'type' | 'subType', string> } }>
  shopify: Record<'orders/create' | 'orders/paid', ShopifyOrder> & Record<'refunds/create', ShopifyRefund>
  slack: {
    message: SlackEvent<SlackMessage & { text?: string /** Absent for what a person writes. */; subtype?: string }>
    app_mention: SlackEvent<SlackMessage & { text: string }>
    reaction_added: SlackEvent<
      Record<'user' | 'reaction', string> & { item: Record<'type' | 'channel' | 'ts', string> }
    >
  }
  square: {
    'payment.updated': SquareEvent<{ payment: SquareChange & { customer_id?: string; receipt_url?: string } }>
    'refund.created': SquareEvent<{ refund: SquareChange & { payment_id: string; reason?: string } }>
    'order.created': SquareEvent<{ order_created: Record<'order_id' | 'location_id' | 'state', string> }>
  }
  stripe: Record<'payment_intent.succeeded' | 'payment_intent.payment_failed', StripeEvent<StripePaymentIntent>> &
    Record<'checkout.session.completed', StripeEvent<StripeCheckoutSession>>
}

/** The JSON of an event as its handler sees it: known members have their types, others are `unknown`; else `any`. */
export type JsonOf<Source extends string, Type extends string> = Source extends keyof KnownEvents
  ? Type extends keyof KnownEvents[Source]
    ? Read<KnownEvents[Source][Type]>
    : Unknown
  : Unknown

// biome-ignore lint/suspicious/noExplicitAny: What a sender sends is known to its handler alone.
type Unknown = any

/** At every depth, the other members that a provider sends. */
type Read<T> = T extends readonly (infer Item)[]
  ? readonly Read<Item>[]
  : T extends object
    ? { readonly [Member in keyof T]: Read<T[Member]> } & { readonly [member: string]: unknown }
    : T

/** Times in milliseconds since the epoch. */
interface ClerkEvent<Data> {
  type: string
  timestamp: number
  data: Data & Record<'created_at' | 'updated_at', number>
}
interface ClerkUser
  extends Record<'username' | 'first_name' | 'last_name' | 'primary_email_address_id', string | null> {
  id: string
  email_addresses: Record<'id' | 'email_address', string>[]
  /** The id in a system of your own. */
  external_id: string | null
}

type GatehouseNews<About extends string> = Record<'type' | 'at' | 'reason' | About, string> & {
  eventType?: string
  count: number
}

type GithubEvent<Event> = Event & {
  repository: Record<'name' | 'full_name' | 'html_url' | 'default_branch', string> & { id: number; private: boolean }
  sender: GithubUser
}
interface GithubPush extends Record<'ref' | 'before' | 'after', string> {
  deleted: boolean
  commits: GithubCommit[]
  /** Null for a deleted ref. */
  head_commit: GithubCommit | null
  pusher: { name: string }
}
interface GithubCommit extends Record<'id' | 'message' | 'timestamp' | 'url', string> {
  author: { name: string; email: string | null }
}
interface GithubIssue extends Record<'title' | 'html_url', string> {
  number: number
  body: string | null
  user: GithubUser
}
interface GithubPullRequest extends GithubIssue, Record<'head' | 'base', Record<'ref' | 'sha', string>> {
  draft: boolean
  merged: boolean | null
}
type GithubUser = { id: number; login: string }

interface GitlabEvent {
  object_kind: string
  project: Record<'name' | 'path_with_namespace' | 'web_url' | 'default_branch', string> & { id: number }
}
interface GitlabPush extends GitlabEvent, Record<'ref' | 'before' | 'after' | 'user_name' | 'user_username', string> {
  /** The newest 20 of `total_commits_count`. */
  commits: (Record<'id' | 'message' | 'timestamp' | 'url', string> & { author: Record<'name' | 'email', string> })[]
  total_commits_count: number
}
interface GitlabChange<Attributes> extends GitlabEvent {
  user: Record<'name' | 'username', string>
  object_attributes: Attributes
}
interface GitlabIssue extends Record<'title' | 'state' | 'url', string> {
  id: number
  /** The number in its project. */
  iid: number
  action?: string
}

interface LinearEvent<Data> extends Record<'action' | 'type' | 'createdAt' | 'organizationId', string> {
  data: Data & Record<'id' | 'createdAt' | 'updatedAt', string>
  /** The values before an update. */
  updatedFrom?: object | null
}
interface LinearIssue extends Record<'identifier' | 'title' | 'url', string> {
  priority: number
  state: Record<'id' | 'name' | 'type', string>
  assignee?: LinearUser | null
  labels: Record<'id' | 'name', string>[]
}
type LinearUser = Record<'id' | 'name' | 'email', string>

interface PaddleEvent<Data> extends Record<'event_id' | 'event_type' | 'occurred_at', string> {
  data: Data & Record<'id' | 'status' | 'currency_code' | 'created_at', string> & { custom_data?: object | null }
}
interface PaddleTransaction extends Partial<Record<'customer_id' | 'subscription_id', string | null>> {
  items: PaddleItem[]
  /** In minor units. */
  details?: { totals?: Record<'subtotal' | 'tax' | 'total' | 'grand_total', string> | null } | null
}
interface PaddleSubscription extends Partial<Record<'next_billed_at' | 'canceled_at', string | null>> {
  customer_id: string
  items: PaddleItem[]
}
type PaddleItem = { quantity: number; price?: Record<'id' | 'product_id', string> | null }

interface ResendEvent extends Record<'type' | 'created_at', string> {
  data: Record<'email_id' | 'from' | 'subject' | 'created_at', string> & { to: string[] }
}

/** Amounts are decimals: `10.00`. */
interface ShopifyOrder
  extends Record<'name' | 'currency' | 'created_at' | 'total_price' | 'total_tax', string>,
    Record<'email' | 'financial_status' | 'fulfillment_status' | 'note', string | null> {
  id: number
  customer?: ({ id: number } & Record<'email' | 'first_name' | 'last_name', string | null>) | null
  line_items: { id: number; sku: string | null; title: string; quantity: number; price: string }[]
}
interface ShopifyRefund extends Record<'id' | 'order_id', number> {
  note: string | null
  created_at: string
  refund_line_items: { line_item_id: number; quantity: number }[]
  transactions: (Record<'kind' | 'status' | 'amount', string> & { id: number; currency: string | null })[]
}

interface SlackEvent<Event> extends Record<'type' | 'team_id' | 'event_id', string> {
  /** In seconds since the epoch. */
  event_time: number
  event: Event
}
/** `ts` is the id of a message in its channel, `thread_ts` that of the one that it answers. */
interface SlackMessage extends Record<'channel' | 'ts', string>, Partial<Record<'user' | 'thread_ts', string>> {}

interface SquareEvent<Changed> extends Record<'merchant_id' | 'type' | 'event_id' | 'created_at', string> {
  data: { type: string; id: string; object: Changed }
}
interface SquareChange extends Record<'id' | 'status' | 'location_id' | 'order_id', string> {
  /** In minor units. */
  amount_money: { amount: number; currency: string }
}

/** Amounts in minor units, times in seconds since the epoch. */
interface StripeEvent<Changed> extends Record<'id' | 'type', string> {
  created: number
  livemode: boolean
  data: { object: Changed & { id: string; customer: string | null } }
}
interface StripePaymentIntent
  extends Record<'currency' | 'status', string>,
    Record<'amount' | 'amount_received', number> {
  metadata: Record<string, string>
}
interface StripeCheckoutSession extends Record<'client_reference_id' | 'currency' | 'payment_intent', string | null> {
  amount_total: number | null
  payment_status: string
  customer_details: Record<'email' | 'name', string | null> | null
  metadata: Record<string, string> | null
}
