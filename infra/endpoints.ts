import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { About } from '../lib/contract/about.ts'
import type { EndpointName } from '../lib/contract/gen/endpoints.ts'
import type { Route } from '../lib/contract/route.ts'
import { moduleFile } from './project.ts'

interface Endpoint {
  readonly file: string
  readonly route: Route
  readonly about: About
}

/** Every endpoint by the name of its function: the functions of serverless.yml whose files have a route. */
export const ENDPOINTS = Object.fromEntries(await endpoints()) as Readonly<Record<EndpointName, Endpoint>>

async function endpoints(): Promise<readonly (readonly [name: string, Endpoint])[]> {
  const { functions } = parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'silent' })
  const loaded = Object.entries<{ readonly handler: string }>(functions).map(async ([name, { handler }]) => {
    const file = sourceOf(handler)
    const { route, about } = await import(moduleFile(file.replace(/\.ts$/, '')))
    return route === undefined ? [] : [[name, { file, route, about: about() }] as const]
  })
  return (await Promise.all(loaded)).flat()
}

/** `dist/api/users/index.handler` is built from `functions/api/users.ts`. */
function sourceOf(handler: string): string {
  return handler.replace(/^dist\/(.*)\/index\.handler$/, 'functions/$1.ts')
}
