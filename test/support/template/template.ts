import type { StageDescription } from '../../../infra/deployed.ts'

/** A resource of a template, with the properties that rules look at; the specification knows the others. */
export interface Resource {
  readonly Type: string
  readonly Condition?: string
  readonly DependsOn?: string | readonly string[]
  readonly DeletionPolicy?: string
  readonly UpdateReplacePolicy?: string
  readonly Properties: Readonly<Record<string, unknown>>
}

export interface Output {
  readonly Condition?: string
  readonly Value: unknown
}

/** What CloudFormation is given. */
export interface Template {
  readonly Metadata?: { readonly Gatehouse: StageDescription }
  readonly Parameters?: Readonly<Record<string, unknown>>
  readonly Conditions?: Readonly<Record<string, unknown>>
  readonly Resources: Readonly<Record<string, Resource>>
  readonly Outputs?: Readonly<Record<string, Output>>
}

export interface Named extends Resource {
  readonly name: string
}

/** The resources of a type, with their logical ids. */
export function ofType({ Resources: resources }: Template, type: string): readonly Named[] {
  return Object.entries(resources).flatMap(([name, resource]) =>
    resource.Type === type ? [{ ...resource, name }] : [],
  )
}

/** What one of CloudFormation's functions speaks of: a resource or a parameter, and one of its attributes, if any. */
export interface Reference {
  readonly name: string
  readonly attribute?: string | undefined
}

/** The functions that refer to something, by what their argument is. */
const REFERRING: Readonly<Record<string, (argument: unknown) => readonly Reference[]>> = {
  Ref: (name) => [{ name: String(name) }],
  'Fn::GetAtt': (path) => [referenceTo(Array.isArray(path) ? path.join('.') : String(path))],
  'Fn::Sub': (argument) => {
    const [text, given = {}] = [argument].flat() as [string, object?]
    const names = [...text.matchAll(/\$\{(?!!)([^}]+)\}/g)].map(([, name = '']) => name)
    return [...names.filter((name) => !Object.hasOwn(given, name)).map(referenceTo), ...referencesIn(given)]
  },
}

function referenceTo(path: string): Reference {
  const [name = '', ...attribute] = path.split('.')
  return { name, attribute: attribute.length > 0 ? attribute.join('.') : undefined }
}

/** All references in a value. */
export function referencesIn(value: unknown): readonly Reference[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, argument]) => REFERRING[key]?.(argument) ?? referencesIn(argument))
}

/** The resource that a value refers to, and nothing else. */
export function referredTo(value: unknown): string | undefined {
  const [first, ...others] = referencesIn(value)
  return others.length === 0 ? first?.name : undefined
}
