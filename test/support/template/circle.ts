import { referencesIn, type Template } from './template.ts'

/**
 * The resources of a template that wait for each other, in a circle; none if there is no circle. Only a deployment would say so:
 * CloudFormation finds it when it has the whole template, and the specification of a resource knows nothing of others.
 */
export function circleIn({ Resources: resources }: Pick<Template, 'Resources'>): readonly string[] {
  const isClear = new Set<string>()

  function search(name: string, way: readonly string[]): readonly string[] {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name]
    if (isClear.has(name)) return []
    const circle = firstOf(awaitedBy(name), (other) => search(other, [...way, name]))
    isClear.add(name)
    return circle
  }

  function awaitedBy(name: string): readonly string[] {
    const { DependsOn: others = [], Properties: properties } = resources[name] ?? {}
    const names = [...[others].flat(), ...referencesIn(properties).map((reference) => reference.name)]
    return names.filter((other) => Object.hasOwn(resources, other))
  }

  return firstOf(Object.keys(resources), (name) => search(name, []))
}

function firstOf(names: readonly string[], search: (name: string) => readonly string[]): readonly string[] {
  for (const name of names) {
    const found = search(name)
    if (found.length > 0) return found
  }
  return []
}
