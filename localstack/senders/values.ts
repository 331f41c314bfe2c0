import { UsageError } from '../command.ts'

/** Something to stand at a place of a body. */
export interface BodyValue {
  readonly path: readonly string[]
  readonly value: unknown
}

/**
 * Reads `path=value`. What is JSON is taken as such, unless a number would lose digits; anything else is a text.
 * @throws UsageError
 */
export function readSetting(text: string): BodyValue {
  const [, path = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (path.split('.').includes('') || path === '')
    throw new UsageError('--set must be path=value, as data.object.amount=500')
  return { path: path.split('.'), value: parsed(value) }
}

/** The same values with something else in one place; what is missing on the way is made. */
export function withSetting(values: unknown, { path, value }: BodyValue): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (Array.isArray(values) && /^\d{1,4}$/.test(name)) {
    const inner = withSetting(values[Number(name)], { path: rest, value })
    return Object.assign([...values], { [name]: inner })
  }
  const fields = typeof values === 'object' && !Array.isArray(values) ? values : {}
  return { ...fields, [name]: withSetting(own(values, name), { path: rest, value }) }
}

/** The text at a place, for another body to have it too. */
export function textAt(values: unknown, path: readonly string[]): string {
  return String(path.reduce(own, values))
}

function own(values: unknown, name: string): unknown {
  return typeof values === 'object' && values !== null && Object.hasOwn(values, name)
    ? Reflect.get(values, name)
    : undefined
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'number' && String(value) !== text ? text : value
  } catch {
    return text
  }
}
