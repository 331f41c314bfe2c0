import { UsageError } from '../command.ts'

/** A value to set at a path of a body. */
export interface BodyValue {
  readonly path: readonly string[]
  readonly value: unknown
}

/**
 * Parses `path=value`. JSON is taken as such, unless a number would lose digits; anything else is a text.
 * @throws UsageError
 */
export function readSetting(text: string): BodyValue {
  const [, path = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (path.split('.').includes('') || path === '')
    throw new UsageError('--set must be path=value, as data.object.amount=500')
  return { path: path.split('.'), value: parsed(value) }
}

/** A copy of the values with one replaced; creates missing objects on the way. */
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

/** The text at a path, to set it in another body. */
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
