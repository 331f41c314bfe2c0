import { readFileSync } from 'node:fs'
import { env } from 'node:process'

const { now: machine } = Date

function now(): number {
  const { DRILL_CLOCK: file } = env
  return machine() + (file === undefined ? 0 : Number(readFileSync(file)))
}

/**
 * Has `Date` run ahead of the machine's clock by so many milliseconds as the file `DRILL_CLOCK` holds, for whoever imports
 * this: a drill, and the functions that it calls.
 */
globalThis.Date = new Proxy(Date, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
