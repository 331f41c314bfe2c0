import specifications from '@aws-cdk/aws-service-spec'
import { type Reference, type Resource, referencesIn, type Template } from './template.ts'

type Database = Awaited<ReturnType<typeof specifications.loadAwsServiceSpec>>
type Specified = ReturnType<ReturnType<typeof specifiedIn>> & object
type Properties = Specified['properties']
type Type = Properties[string]['type']

type Check<T> = (value: unknown, type: T, path: string) => readonly string[]
type Structures = {
  readonly [K in 'union' | 'array' | 'map' | 'ref']: Check<Extract<Type, { readonly type: K }>>
}

function specifiedIn(database: Database) {
  return (type: string) => database.lookup('resource', 'cloudFormationType', 'equals', type)[0]
}

/** What a resource may have besides its properties (CloudFormation user guide, "Resource attribute reference"). */
const ATTRIBUTES = [
  'Type',
  'Properties',
  'Condition',
  'DependsOn',
  'DeletionPolicy',
  'UpdateReplacePolicy',
  'CreationPolicy',
  'UpdatePolicy',
  'Metadata',
]

/** Finds what AWS's own specification of its resources does not know, and references to what is not there. */
export async function createSpecificationCheck(): Promise<(template: Template) => readonly string[]> {
  const database = await specifications.loadAwsServiceSpec()
  const specified = specifiedIn(database)

  function ofResource([name, resource]: [string, Resource]): readonly string[] {
    const specification = specified(resource.Type)
    if (!specification) return [`${name}: there is no ${resource.Type}`]
    const foreign = Object.keys(resource).filter((key) => !ATTRIBUTES.includes(key))
    return [
      ...foreign.map((key) => `${name}: a resource has no ${key}`),
      ...ofProperties(resource.Properties ?? {}, specification.properties, name),
    ]
  }

  function ofProperties(value: object, properties: Properties, path: string): readonly string[] {
    const missing = Object.entries(properties).filter(
      ([name, { required }]) => required === true && !Object.hasOwn(value, name),
    )
    return [
      ...missing.map(([name]) => `${path}: ${name} is missing`),
      ...Object.entries(value).flatMap(([name, part]) => {
        const property = properties[name]
        if (!property) return [`${path}: there is no ${name}`]
        return ofAny(part, [property.type, ...(property.previousTypes ?? [])], `${path}.${name}`)
      }),
    ]
  }

  /** A value has to be right for one type of several; what is wrong with it is said of the first. */
  function ofAny(value: unknown, types: readonly Type[], path: string): readonly string[] {
    const choices = choicesOf(value)
    if (choices) return choices.flatMap((choice) => ofAny(choice, types, path))
    const [first = [], ...others] = types.map((type) => ofValue(value, type, path))
    return others.some((wrong) => wrong.length === 0) ? [] : first
  }

  const structured: Structures = {
    union: (value, { types }, path) => ofAny(value, types, path),
    array: (value, { element }, path) =>
      Array.isArray(value) ? ofEach(value, element, path) : [`${path}: is no array`],
    map: (value, { element }, path) => (isRecord(value) ? ofEach(value, element, path) : [`${path}: is no map`]),
    ref: (value, { reference }, path) =>
      isRecord(value)
        ? ofProperties(value, database.get('typeDefinition', reference).properties, path)
        : [`${path}: is no object`],
  }

  function ofEach(values: object, element: Type, path: string): readonly string[] {
    return Object.entries(values).flatMap(([key, value]) => ofAny(value, [element], `${path}.${key}`))
  }

  function ofValue(value: unknown, type: Type, path: string): readonly string[] {
    const structure = structured[type.type as keyof Structures] as Check<Type> | undefined
    if (structure) return structure(value, type, path)
    if (!SIMPLE[type.type as keyof typeof SIMPLE](value)) return [`${path}: is no ${type.type}`]
    const allowed: readonly unknown[] | undefined = 'allowedValues' in type ? type.allowedValues : undefined
    return allowed?.includes(value) === false ? [`${path}: is none of ${allowed.join(', ')}`] : []
  }

  return (template) => {
    const {
      Resources: resources,
      Parameters: parameters = {},
      Conditions: conditions = {},
      Outputs: outputs = {},
    } = template
    const isKnown = ({ name, attribute }: Reference) => {
      if (attribute === undefined)
        return name.startsWith('AWS::') || Object.hasOwn({ ...parameters, ...resources }, name)
      const type = resources[name]?.Type ?? ''
      // What a nested stack tells is in its own template.
      if (type === 'AWS::CloudFormation::Stack' && attribute.startsWith('Outputs.')) return true
      return Object.hasOwn(specified(type)?.attributes ?? {}, attribute)
    }
    const parts = Object.entries({ ...resources, ...outputs })
    const dangling = [...parts, ['Conditions', conditions] as const].flatMap(([name, part]) =>
      referencesIn(part)
        .filter((reference) => !isKnown(reference))
        .map((reference) => `${name}: refers to ${[reference.name, reference.attribute ?? []].flat().join('.')}`),
    )
    const conditioned = parts.filter(
      ([, { Condition }]) => Condition !== undefined && !Object.hasOwn(conditions, Condition),
    )
    const waiting = Object.entries(resources).flatMap(([name, { DependsOn: others = [] }]) =>
      [others].flat().flatMap((other) => (Object.hasOwn(resources, other) ? [] : [`${name}: waits for ${other}`])),
    )
    return [
      ...Object.entries(resources).flatMap(ofResource),
      ...dangling,
      ...conditioned.map(([name, { Condition }]) => `${name}: has the condition ${Condition}`),
      ...waiting,
    ]
  }
}

/** What is known of a value that CloudFormation works out: nothing, or that it is one of several. */
function choicesOf(value: unknown): readonly unknown[] | undefined {
  if (!isRecord(value)) return undefined
  const [[key = '', argument] = [], ...others] = Object.entries(value)
  if (others.length > 0 || !/^(Ref|Fn::\w+)$/.test(key)) return undefined
  return key === 'Fn::If' && Array.isArray(argument) ? argument.slice(1) : []
}

function isRecord(value: unknown): value is object {
  return isObject(value) && !Array.isArray(value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))

/** Simple values; CloudFormation takes a text for anything that it can read from it. */
const SIMPLE = {
  string: (value) => isText(value) || isNumber(value) || typeof value === 'boolean',
  number: isNumber,
  integer: (value) => isNumber(value) && Number.isInteger(Number(value)),
  boolean: (value) => typeof value === 'boolean' || value === 'true' || value === 'false',
  json: (value) => isText(value) || isObject(value),
  'date-time': isText,
  null: (value) => value === null,
  tag: isObject,
} as const satisfies Record<string, (value: unknown) => boolean>
