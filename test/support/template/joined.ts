import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withReferences } from '../../../infra/deliver/nested.ts'
import { NESTED_STACKS } from '../../../infra/deliver/nesting.ts'
import type { Resource, Template } from './template.ts'

interface Stack {
  readonly DependsOn?: readonly string[]
  readonly Properties: { readonly Parameters?: Readonly<Record<string, object>> }
}

/** A packaged template, with all that is nested in it. */
export function wholeTemplate(file: string): Template {
  const template: Template = JSON.parse(readFileSync(file, 'utf8'))
  const parts = NESTED_STACKS.map((stack) => ({ id: stack.id, path: join(dirname(file), stack.file) }))
  return parts
    .filter(({ path }) => existsSync(path))
    .reduce((whole, { id, path }) => joined(whole, id, JSON.parse(readFileSync(path, 'utf8'))), template)
}

/** The one template that a parent and a nested stack come to: the opposite of nesting, but for who waits for whom. */
function joined(parent: Template, id: string, nested: Template): Template {
  const { [id]: stack, ...rest } = parent.Resources
  const others = Object.fromEntries(
    Object.entries(rest).map(([name, resource]) => [name, withoutWaitingFor(id, resource)]),
  )
  const { Parameters: values = {} } = (stack as unknown as Stack).Properties
  const givenTo = (path: string) => (Object.hasOwn(values, path) ? pathOf(values[path]) : path)
  const outputOf = (path: string) => {
    const [name, kind, output = ''] = path.split('.')
    return name === id && kind === 'Outputs' ? pathOf(nested.Outputs?.[output]?.Value) : path
  }
  return {
    ...parent,
    Resources: { ...withReferences(others, outputOf), ...withReferences(nested.Resources, givenTo) },
    ...(parent.Outputs && { Outputs: withReferences(parent.Outputs, outputOf) }),
  }
}

function withoutWaitingFor(id: string, { DependsOn: awaited = [], ...resource }: Resource): Resource {
  const others = [awaited].flat().filter((other) => other !== id)
  return others.length === 0 ? resource : { ...resource, DependsOn: others }
}

function pathOf(reference: unknown): string {
  const [path] = Object.values(reference as object)
  return Array.isArray(path) ? path.join('.') : String(path)
}
