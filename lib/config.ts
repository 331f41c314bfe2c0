/**
 * What a team writes `gatehouse.config.ts` with: data only, checked when the service starts and when it is packaged.
 */
export interface GatehouseConfig {
  /**
   * What the names of a deployed stage begin with: its stack, tables, secrets and metrics; `gatehouse` if it is missing. 2
   * to 12 of a-z, 0-9 and -, beginning with a letter. Projects of one account need different ones.
   */
  readonly name?: string
  /**
   * Senders by name: the last part of their address, `/webhooks/<name>`, and the name of their secrets in
   * `WEBHOOK_SECRETS`.
   */
  readonly sources?: Readonly<Record<string, SourceConfig>>
  /** Where accepted events go, by name: 1 to 24 of a-z, 0-9 and -, beginning with a letter; at most 25 of them. */
  readonly destinations?: Readonly<Record<string, DestinationConfig>>
  /**
   * How the team's own code is run, by its path below `handlers/` without the ending: `shop/order-paid`. Missing values
   * have their defaults.
   */
  readonly handlers?: Readonly<Record<string, HandlerConfig>>
  /**
   * For how many days an event is kept, with its payload and its deliveries, by the name of its source; `*` is every source
   * that is not named, 90 if it is missing: `{ '*': 90, stripe: 30 }`. From 7 to 3650, and longer than the provider
   * repeats an event and any destination is tried. Under `*`, a source whose sender repeats for longer is kept for
   * longer, and one of a known provider for 31 days at least.
   */
  readonly retentionDays?: Readonly<Record<string, number>>
  /**
   * For how many days a call that was accepted once does nothing again, also after its event ended; 400 if it is missing,
   * at most 3650, and never below a number in `retentionDays`.
   */
  readonly dedupeDays?: number
}

/** One sender: a further account of a known provider, or one that is described here. */
export type SourceConfig = PresetSource | OwnSource

interface Limits {
  /** The greatest distance of a signed time from our clock, in seconds, in both directions. */
  readonly toleranceSeconds?: number
  /** How many calls of one address are accepted in a minute; `WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE` if absent. */
  readonly rateLimitPerMinute?: number
  /**
   * The largest body, at most 4,194,304 bytes; `WEBHOOK_MAX_BODY_BYTES` if absent, and 262,144 where its bytes are not
   * signed: such a body is read before its sender is known.
   */
  readonly maxBodyBytes?: number
  /**
   * In which time at least one call is accepted unless something is wrong: `10m` to `7d`, such as `90m` or `2h`. An alarm
   * reports a source that is silent, or of which all calls are refused, for longer.
   */
  readonly expectEvery?: Span
  /**
   * What equal content under another unsigned id is. `hold`: perhaps the call of a stranger who saw another, so it waits
   * for an operator; so it is for signed content that says nothing else. `deliver`: a new event with a mark, for a sender
   * that describes a state: `{"door":"front","state":"open"}`. `drop`: a duplicate, for a sender whose content names the
   * occurrence, and whose callers are not trusted to keep their ids.
   */
  readonly repeats?: 'drop' | 'deliver' | 'hold'
  /**
   * `token`: the first call of this sender, which is not signed, hands a token over. An admin opens the set-up for an hour
   * and reads it there. The providers that do so need no word of it.
   */
  readonly setup?: 'token'
}

/** Minutes, hours or days. */
export type Span = `${number}${'m' | 'h' | 'd'}`

/** A known provider, or a further account of one: like that provider, except the address and the secrets. */
export interface PresetSource extends Limits {
  /**
   * A name of the table in docs/webhooks.md. `stripe`, `github`, `payment` and `order-status` under their own names take
   * `expectEvery`, `rateLimitPerMinute` and `maxBodyBytes` alone.
   */
  readonly preset: string
}

/** A sender of its own kind. */
export interface OwnSource extends Limits {
  readonly proof: Hmac | Basic | Bearer | Token
  /** Where the parts of an event are found; without it no event has an id or a type. */
  readonly event?: {
    readonly id?: EventPlace
    readonly type?: EventPlace
  }
  /**
   * What makes a call a repetition of an earlier one. By default `signed-id` if the id is signed, else `id+body` if
   * there is an id, else `time+body` if a time is signed, else `window` if the body is signed, else `always-new`.
   */
  readonly rule?: DedupeRule
  /**
   * Members of the body that differ between tries of one event, such as `meta.attempt`; `*` is every element of a list.
   */
  readonly ignore?: readonly string[]
  /** How the body is read; the paths in this source lead through it. `json` by default; `bytes` are not read at all. */
  readonly format?: 'json' | 'form' | 'bytes'
  /** How long the sender repeats what was not acknowledged, in hours: 72 by default. */
  readonly retryHours?: number
}

export type DedupeRule = 'signed-id' | 'time+body' | 'id+body' | 'window' | 'always-new'

/** A header, or the members on the way to a value in the body, joined with dots: `data.object.id`. */
export type EventPlace = { readonly header: string } | { readonly path: string }

/** A keyed hash (RFC 2104) of the call. */
export interface Hmac {
  readonly kind: 'hmac'
  /** The header with the signature. */
  readonly header: string
  /** `sha256` by default. */
  readonly hash?: 'sha1' | 'sha256' | 'sha384' | 'sha512'
  /** `hex` by default. */
  readonly encoding?: 'hex' | 'base64' | 'base64url'
  /** The format of the configured secret: `text` by default; `whsec` is base64 that may begin with `whsec_`. */
  readonly key?: 'text' | 'hex' | 'base64' | 'whsec'
  /** The prefix of a signature, such as `sha256=` or `v1=`. */
  readonly prefix?: string
  /** The separator of the header's elements, if it has several; those without the prefix are ignored. */
  readonly separator?: string
  /**
   * The signed text: literal text and the parts `{body}`, `{bodySha256}` (hexadecimal), `{time}`, `{id}`, `{method}`,
   * `{url}`, `{path}` (with the query), `{header:x-name}` and `{query:name}`. `{body}` by default; without it, or its
   * hash, nothing but these parts is proven.
   */
  readonly signed?: string
  readonly time?: SignedTime
}

/** The signed time: a header, the element of the signature's header with this prefix, or a place in the body. */
export type SignedTime = (EventPlace | { readonly prefix: string }) & {
  /** Seconds since the epoch (`s`, the default), milliseconds, or a date-time of RFC 3339 in UTC. */
  readonly unit?: 's' | 'ms' | 'rfc3339'
}

/** HTTP Basic (RFC 7617); the configured secret is `user:password`. */
export interface Basic {
  readonly kind: 'basic'
}

/** `Authorization: Bearer` and the secret (RFC 6750). */
export interface Bearer {
  readonly kind: 'bearer'
}

/** The secret in a header. */
export interface Token {
  readonly kind: 'token'
  readonly header: string
}

/** The destinations of events. */
export type DestinationConfig = HttpDestination | SqsDestination | EventBridgeDestination

interface Service {
  /** How many deliveries are under way at once: 2 to 1000, 5 by default. */
  readonly concurrency?: number
  /** How many deliveries begin in a second: at least half of `concurrency`; without it, there is no limit. */
  readonly ratePerSecond?: number
  /**
   * The pauses after each failure, in seconds; the last one repeats. By default 5 s, 5 min, 30 min, 2 h, 5 h, 10 h,
   * 14 h, 20 h, each up to a fifth longer.
   */
  readonly retry?: readonly number[]
  /** How long a delivery is tried, in hours: 72 by default. */
  readonly giveUpAfterHours?: number
  /** Whether it gets an event with equal content under another unsigned id; else its source decides. */
  readonly repeats?: 'deliver' | 'hold'
  /** Alarms of its own in place of the two for all destinations and handlers; `false`: none. */
  readonly alarms?: Alarms | false
  /**
   * The part of a VPC in which it runs on a deployed stage, so that its addresses may be private; on the local stage
   * `private` is enough. Without it, and where `byStage` names none, all addresses are public.
   */
  readonly network?: Network | 'private' | ByStage<Network | 'private'>
}

/** The subnets need a way to AWS: a NAT gateway, or endpoints. */
export interface Network {
  /** 1 to 16 of one VPC: `subnet-0123456789abcdef0`. */
  readonly subnetIds: readonly string[]
  /** 1 to 5, whose rules let the calls out: `sg-0123456789abcdef0`. */
  readonly securityGroupIds: readonly string[]
}

/** What is missing is as for all the others. */
export interface Alarms {
  /** So many deliveries that are given up within an hour raise an alarm: 1 by default. */
  readonly deadAfter?: number
  /** A delivery that has waited for so many minutes raises an alarm: 70 by default. */
  readonly oldestMinutes?: number
  /** The ARN of the SNS topic that gets the alarm. Without it, and where `byStage` names none, it is the topic of the stage. */
  readonly topic?: string | ByStage
}

interface AnyDestination extends Service {
  /** What those events must have besides; without it, they all go here. */
  readonly where?: Where
  /**
   * The types of events by the name of their source; `*` is every source. In a type, `*` is one segment between dots or
   * slashes, `**` any number of them: `{ stripe: ['payment_intent.*'] }`, `{ '*': ['**'] }`.
   */
  readonly from: Readonly<Record<string, readonly string[]>>
  /** For the whole of one delivery: 1 to 50, 15 by default. */
  readonly timeoutSeconds?: number
}

/** A file of code in `handlers/`. */
export interface HandlerConfig extends Service {
  /** For one event: 1 to 800, 15 by default. */
  readonly timeoutSeconds?: number | ByStage<number>
  /** Of its function: 256 to 10240, 512 by default. */
  readonly memoryMegabytes?: number | ByStage<number>
  /** The names of the values in `DELIVERY_SECRETS` that it may read. */
  readonly secrets?: readonly string[]
  /** What its role may do on AWS, in addition to the rights that it needs to receive its events: nothing by default. */
  readonly rights?: readonly Right[]
}

/** A statement of an IAM policy that allows something. */
export interface Right {
  /** Such as `dynamodb:PutItem`. */
  readonly actions: readonly string[]
  /** ARNs, or tables and queues of `resources.yml`; `*` alone for actions that support no resource. */
  readonly resources: readonly (string | ByStage | TeamResource)[]
}

/**
 * A table or a queue of the project's own `resources.yml`: `{ team: 'TeamOrders' }`, and its indexes `{ team:
 * 'TeamOrders/index/*' }`. The handler's code finds the name of the table, or the address of the queue, in
 * `process.env.TeamOrders`.
 */
export interface TeamResource {
  readonly team: string
}

/** An HTTPS endpoint; it receives the body as it came, with a signature of Standard Webhooks. */
export interface HttpDestination extends AnyDestination {
  readonly to: 'http'
  /** Only the local stage may use plain http, and addresses that are not public. */
  readonly url: string | ByStage
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string | NamedSecret>>
  /** How it knows the caller, besides the signature. */
  readonly auth?: HttpAuth
}

/** HTTP Basic, OAuth 2, or mutual TLS: the secret is the key and its certificates in PEM. */
export type HttpAuth =
  | { readonly basic: BasicCredentials }
  | { readonly oauth2: ClientCredentials }
  | { readonly mtls: NamedSecret }

/** RFC 7617: a name without a colon. */
interface BasicCredentials {
  readonly username: string | NamedSecret
  readonly password: NamedSecret
}

/** The client credentials grant (RFC 6749, section 4.4), with HTTP Basic at the token endpoint. */
export interface ClientCredentials {
  /** As `url`: only the local stage may use plain http, and addresses that are not public. */
  readonly tokenUrl: string | ByStage
  readonly clientId: string | NamedSecret
  readonly secret: NamedSecret
  /** Several are separated by blanks. */
  readonly scope?: string
}

/** A queue; messages hold an envelope, or a claim check for what is larger than SQS takes. */
export interface SqsDestination extends AnyDestination {
  readonly to: 'sqs'
  /** The ARN. On the local stage, a queue of that name is created. */
  readonly queue: string | ByStage
  /**
   * The place of the message group in a JSON body, for a FIFO queue: the members on the way to it, joined with dots. An
   * event without one is in the group of its source.
   */
  readonly group?: string
}

/** An EventBridge bus; the detail is an envelope, or a claim check for what is larger than EventBridge takes. */
export interface EventBridgeDestination extends AnyDestination {
  readonly to: 'eventbridge'
  /** The ARN. */
  readonly bus: string | ByStage
}

/**
 * Content that an event must have: an event pattern of EventBridge over these members. All that are named have to match, of
 * a list any value or operator. At most 20 levels, and 4,096 characters as JSON.
 */
export interface Where {
  readonly type?: readonly Wanted[]
  readonly source?: readonly Wanted[]
  readonly proof?: Readonly<
    Partial<Record<'level' | 'key' | 'signedAt' | 'typeSigned' | 'idSigned' | 'stale', readonly Wanted[]>>
  >
  /** The stored ones, by name in lower case. */
  readonly headers?: Readonly<Record<string, readonly Wanted[]>>
  /** The body. One that is no JSON matches no pattern with this member. */
  readonly json?: Pattern
  /** At least two, of which one has to match. */
  readonly $or?: readonly Where[]
}

export type Pattern = readonly Wanted[] | Members

interface Members {
  /** A list of objects is for `$or` alone. */
  readonly [member: string]: Pattern | readonly Members[]
}

/** A value, or an operator. */
export type Wanted =
  | (string | number | boolean | null)
  | { readonly prefix: string | IgnoringCase }
  | { readonly suffix: string | IgnoringCase }
  | IgnoringCase
  | { readonly wildcard: string }
  | { readonly numeric: readonly (string | number)[] }
  | { readonly exists: boolean }
  | { readonly 'anything-but': Texts | number | readonly number[] | Unwanted }

type Texts = string | readonly string[]
type IgnoringCase = { readonly 'equals-ignore-case': string }
type Unwanted = Readonly<Partial<Record<'prefix' | 'suffix' | 'equals-ignore-case' | 'wildcard', Texts>>>

/** One value for each stage, `default` for those that are not named. */
export interface ByStage<T = string> {
  readonly byStage: Readonly<Record<string, T>>
}

/**
 * A value that differs between stages: `byStage({ local: 'http://127.0.0.1:4000', default: 'https://example.com' })`.
 */
export function byStage<T = string>(values: Readonly<Record<string, T>>): ByStage<T> {
  return { byStage: values }
}

/** The name of a value in `DELIVERY_SECRETS`. */
export interface NamedSecret {
  readonly secret: string
}

/** A value under this name in `DELIVERY_SECRETS` instead of this file. */
export function secret(name: string): NamedSecret {
  return { secret: name }
}

/** Gives the configuration its types. */
export function defineConfig(config: GatehouseConfig): GatehouseConfig {
  return config
}
