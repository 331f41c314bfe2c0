import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setSourceMapsEnabled } from 'node:process'
import { pathToFileURL } from 'node:url'
import { DIST, LOCAL_DIST } from '../../infra/builds.ts'

/**
 * What the gateway calls, by the name of the function.
 * @type {Record<string, (event: unknown, context: unknown) => unknown>}
 */
export const handlers = {}

/**
 * Makes the gateway serve each function from the newest build at the time of a call. Builds that were loaded before stay
 * in memory.
 * @param {Readonly<Record<string, { handler: string }>>} functions
 */
export function serveNewest(functions) {
  setSourceMapsEnabled(true)
  for (const [name, declared] of Object.entries(functions)) {
    const [path = '', exported = ''] = declared.handler.split('.')
    const file = `${relative(DIST, path)}.mjs`
    handlers[name] = async (event, context) => {
      const module = await import(pathToFileURL(join(realpathSync(LOCAL_DIST), file)).href)
      return module[exported](event, context)
    }
    declared.handler = `localstack/stack/newest.handlers.${name}`
  }
}
