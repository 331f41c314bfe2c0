import { Numeral } from './json.ts'

/** The value at a path of a parsed payload; undefined if there is none. */
export function valueAt(payload: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => (isOpen(value, name) ? Reflect.get(value, name) : undefined), payload)
}

/** The text, number or truth value at a path of a parsed payload, as text; undefined if there is none. */
export function pick(payload: unknown, path: readonly string[]): string | undefined {
  const found = valueAt(payload, path)
  if (found instanceof Numeral) return found.text
  if (typeof found === 'boolean') return String(found)
  return typeof found === 'string' ? found : undefined
}

function isOpen(value: unknown, name: string): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Numeral) && Object.hasOwn(value, name)
}
