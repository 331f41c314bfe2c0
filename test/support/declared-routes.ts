import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type RouteTable, routesOf } from '../../localstack/strict/routes.ts'

interface Declared {
  readonly functions: Readonly<Record<string, { readonly events: readonly object[] }>>
}

/** The routes of serverless.yml. @param nameOf the name of the function with such a key */
export function declaredRoutes(nameOf: (key: string) => string = (key) => key): RouteTable {
  const { functions } = parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'silent' }) as Declared
  return routesOf(Object.entries(functions).map(([key, { events }]) => ({ name: nameOf(key), events })))
}
