/** A resource of a template, with the attributes that other resources are named in. */
export interface TemplateResource {
  readonly Type: string
  readonly Condition?: string
  readonly DependsOn?: string | readonly string[]
  readonly UpdatePolicy?: Readonly<Record<string, unknown>>
  readonly Properties?: Readonly<Record<string, unknown>>
}

/** What CloudFormation is given for a stack. */
export interface StackTemplate {
  readonly AWSTemplateFormatVersion?: string
  readonly Description?: string
  readonly Parameters?: Readonly<Record<string, unknown>>
  readonly Conditions?: Readonly<Record<string, unknown>>
  readonly Resources: Readonly<Record<string, TemplateResource>>
  readonly Outputs?: Readonly<Record<string, unknown>>
}

interface Nesting {
  /** The logical id of the nested stack. */
  readonly id: string
  /** Where CloudFormation finds its template. */
  readonly urlOf: (nested: StackTemplate) => unknown
  /** Whether a resource, by its logical id, is one of the nested stack. */
  readonly holds: (id: string) => boolean
}

/**
 * Moves resources into a nested stack. What they refer to in the parent becomes a parameter, what the parent refers to in
 * them an output; logical ids stay as they are.
 */
export function nest(template: StackTemplate, { id, urlOf, holds }: Nesting) {
  const all = Object.entries(template.Resources)
  const moved = Object.fromEntries(all.filter(([name]) => holds(name)))
  const { values, awaited, ...nested } = nestedTemplate(moved, template.Conditions ?? {})
  const outputs = new Map<string, object>()
  const intoStack = (path: string) => {
    if (!Object.hasOwn(moved, nameIn(path))) return path
    outputs.set(wordOf(path), { Value: referenceTo(path) })
    return `${id}.Outputs.${wordOf(path)}`
  }
  const renamed = (other: string) => (Object.hasOwn(moved, other) ? id : other)
  const stay = all
    .filter(([name]) => !holds(name))
    .map(([name, resource]) => [name, waiting(resource, renamed)] as const)
  const parts = {
    Resources: withReferences(Object.fromEntries(stay), intoStack),
    ...(template.Outputs && { Outputs: withReferences(template.Outputs, intoStack) }),
  }
  const whole = { ...nested, Outputs: Object.fromEntries(outputs) }
  const stack = waiting(
    {
      Type: 'AWS::CloudFormation::Stack',
      DependsOn: awaited,
      Properties: { TemplateURL: urlOf(whole), Parameters: values },
    },
    (other) => other,
  )
  return { parent: { ...template, ...parts, Resources: { ...parts.Resources, [id]: stack } }, nested: whole }
}

/** The template of a nested stack, the values of its parameters, and the resources that it must wait for. */
function nestedTemplate(moved: StackTemplate['Resources'], declared: Readonly<Record<string, unknown>>) {
  const values = new Map<string, object>()
  const asParameter = (path: string) => {
    if (path.startsWith('AWS::') || Object.hasOwn(moved, nameIn(path))) return path
    values.set(wordOf(path), referenceTo(path))
    return wordOf(path)
  }
  const conditions = withReferences(neededBy(moved, declared), asParameter)
  const own = (other: string) => (Object.hasOwn(moved, other) ? other : undefined)
  const resources = Object.entries(moved).map(([name, resource]) => [name, waiting(resource, own)] as const)
  const waited = Object.values(moved).flatMap(({ DependsOn: others = [] }) => others)
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Conditions: conditions,
    Resources: withReferences(Object.fromEntries(resources), asParameter),
    Parameters: Object.fromEntries(Array.from(values.keys(), (name) => [name, { Type: 'String' }])),
    values: Object.fromEntries(values),
    awaited: waited.filter((other) => !Object.hasOwn(moved, other)),
  }
}

/** The resource, waiting for others by their new names; one that has none is not waited for. */
function waiting(
  { DependsOn: others = [], ...resource }: TemplateResource,
  renamed: (other: string) => string | undefined,
): TemplateResource {
  const named = new Set([others].flat().flatMap((other) => renamed(other) ?? []))
  return named.size === 0 ? resource : { ...resource, DependsOn: [...named] }
}

/** The conditions that a value names, and those that these name. */
function neededBy(value: unknown, declared: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const names = conditionsIn(value).filter((name) => Object.hasOwn(declared, name))
  return Object.assign({}, ...names.map((name) => ({ ...neededBy(declared[name], declared), [name]: declared[name] })))
}

function conditionsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => {
    // A statement of a policy has an object of this name.
    if (key === 'Condition' && typeof part === 'string') return [part]
    return key === 'Fn::If' ? [String(part[0]), ...conditionsIn(part)] : conditionsIn(part)
  })
}

function nameIn(path: string): string {
  return path.split('.', 1).join()
}

/** The name of a parameter or an output has letters and digits alone. */
function wordOf(path: string): string {
  return path.replaceAll('.', '')
}

/** What a reference names: a resource or a parameter, and with a dot behind it one of its attributes. */
type Path = string

type Change = (path: Path) => Path

/** The functions of CloudFormation that refer to something: how each is written with other paths. */
const REFERRING: Readonly<Record<string, (argument: unknown, change: Change) => object>> = {
  Ref: (name, change) => referenceTo(change(String(name))),
  'Fn::GetAtt': (path, change) => referenceTo(change(Array.isArray(path) ? path.join('.') : String(path))),
  'Fn::Sub': (argument, change) => {
    const [text, given] = [argument].flat() as [string, object?]
    const changed = text.replace(/\$\{([\w.:]+)\}/g, (whole, path: Path) =>
      given && Object.hasOwn(given, path) ? whole : `\${${change(path)}}`,
    )
    return { 'Fn::Sub': given ? [changed, withReferences(given, change)] : changed }
  },
}

/** The same value, whose references name what `change` makes of their paths. */
export function withReferences<T>(value: T, change: Change): T {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, change)) as T
  if (typeof value !== 'object' || value === null) return value
  const [[key = '', argument] = [], ...others] = Object.entries(value)
  const refer = others.length === 0 && Object.hasOwn(REFERRING, key) ? REFERRING[key] : undefined
  if (refer) return refer(argument, change) as T
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withReferences(part, change)])) as T
}

/** The shortest form of a reference. */
function referenceTo(path: Path): object {
  const [name = '', ...attribute] = path.split('.')
  return attribute.length === 0 ? { Ref: name } : { 'Fn::GetAtt': [name, attribute.join('.')] }
}
