/** Actions by what they are made on: a resource, an index of a table (`EventsTable/index/due`), or `*`; all sorted. */
export type Calls = Readonly<Record<string, readonly string[]>>

export interface Statement {
  readonly Effect: string
  readonly Action: string | readonly string[]
  readonly Resource: unknown
  readonly Condition?: object
}

/** A call on AWS: its action, and what it is made on as `Calls` names it. */
interface Asked {
  readonly action: string
  readonly resource: string
  /** What a write names, sets or compares. */
  readonly attributes?: readonly string[]
}

interface Attributes {
  readonly 'ForAllValues:StringLike'?: { readonly 'dynamodb:Attributes': readonly string[] }
  /** Who is not given the rest of a row may not ask for all of it. */
  readonly StringEqualsIfExists?: object
}

/** A role as a template has it. */
export interface Role {
  readonly Properties: {
    readonly Policies: readonly { readonly PolicyDocument: { readonly Statement: readonly Statement[] } }[]
  }
}

function statementsOf({ Properties: { Policies: policies } }: Role): readonly Statement[] {
  return policies.flatMap(({ PolicyDocument: { Statement: statements } }) => statements)
}

/** What a role allows, by the name of the resource that an ARN is of. */
export function allowedBy(role: Role): Calls {
  const allowed = statementsOf(role).flatMap(({ Effect, Action, Resource }) =>
    [Resource]
      .flat()
      .flatMap((resource) => [Action].flat().map((action) => [placeOf(resource), Effect, action] as const)),
  )
  const byPlace = Map.groupBy(allowed, ([place]) => place)
  return Object.fromEntries(
    Array.from(byPlace, ([place, rights]) => [
      place,
      [...new Set(rights.map(([, effect, action]) => (effect === 'Allow' ? action : `${effect} ${action}`)))].sort(),
    ]),
  )
}

/** Whether a role allows a call, with the attributes that it touches. */
export function isAllowed(role: Role, { action, resource, attributes = [] }: Asked): boolean {
  const effects = statementsOf(role)
    .filter(({ Action, Resource, Condition }) => {
      const { 'ForAllValues:StringLike': held, StringEqualsIfExists: parts } = (Condition ?? {}) as Attributes
      const named =
        parts || action.endsWith('GetItem') ? attributes : attributes.filter((attribute) => attribute !== '*')
      return (
        [Action].flat().includes(action) &&
        [Resource].flat().some((one) => placeOf(one) === resource) &&
        (held === undefined ||
          named.every((attribute) => held['dynamodb:Attributes'].some((one) => isLike(attribute, one))))
      )
    })
    .map(({ Effect }) => Effect)
  return effects.includes('Allow') && !effects.includes('Deny')
}

/** IAM's `StringLike`; of names without other signs. */
const isLike = (text: string, pattern: string) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text)

/** The ARN of a secret of the stage, to whose name AWS adds six characters, in a template that may not be put together yet. */
const SECRET =
  /^arn:\$?\{AWS::Partition\}:secretsmanager:\$?\{AWS::Region\}:\$?\{AWS::AccountId\}:secret:(?:\$?\{[\w:]+\}|[\w-]+\/[\w-]+)\/([\w/-]+)-\?{6}$/

/** The ARN of a log group by its name. */
const LOG_GROUP = /^arn:\$\{AWS::Partition\}:logs:\$\{AWS::Region\}:\$\{AWS::AccountId\}:log-group:(.+):\*$/

type Intrinsic = { readonly Ref?: string; readonly 'Fn::GetAtt'?: readonly string[]; readonly 'Fn::Sub'?: string }

/** The resource that an ARN names, with what follows it; or the ARN, if it is put together otherwise. */
function placeOf(arn: unknown): string {
  if (typeof arn !== 'object' || arn === null) return String(arn).replace(SECRET, 'secret/$1')
  const { Ref: name, 'Fn::GetAtt': path, 'Fn::Sub': text = '' } = arn as Intrinsic
  if (name ?? path) return name ?? path?.[0] ?? ''
  return text
    .replace(/^\$\{(\w+)\.Arn\}/, '$1')
    .replace(SECRET, 'secret/$1')
    .replace(LOG_GROUP, '$1')
}
