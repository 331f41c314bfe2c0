import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { deliveryFunctions } from '../../../infra/deliver/resources.ts'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../../lib/contract/route.ts'
import { destinationsIn, EACH_KIND } from '../../support/destinations.ts'

interface Declared {
  readonly handler: string
  readonly package: { readonly patterns: readonly string[] }
  readonly events: readonly Readonly<Record<string, unknown>>[]
}

const { functions } = parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'silent' }) as {
  readonly functions: Readonly<Record<string, Declared>>
}
const declared = Object.entries(functions)
const routeOf = ({ events }: Declared) => events.flatMap(({ httpApi }) => (httpApi === undefined ? [] : [httpApi]))

describe('serverless.yml, functions/ and the contract agree', () => {
  it('each file of functions/ is one function, and each function one file, except those of destinations', () => {
    const derived = Object.values(deliveryFunctions(destinationsIn(EACH_KIND), 'gatehouse')).map(
      ({ handler }) => handler,
    )
    const files = globSync('functions/**/*.ts').map((file) =>
      file.replace(/^functions/, 'dist').replace(/\.ts$/, '/index.handler'),
    )
    expect(declared.map(([, { handler }]) => handler).sort()).toEqual(
      files.filter((file) => !derived.includes(file)).sort(),
    )
    expect([...new Set(derived)].sort()).toEqual([
      'dist/jobs/deliver/index.handler',
      'dist/jobs/delivery-scan/index.handler',
    ])
  })

  it('each function packages only its own bundle', () => {
    for (const [, { handler, package: packed }] of declared) {
      expect(packed.patterns).toEqual([handler.replace('/index.handler', '/**')])
    }
  })

  it('each endpoint is routed under its own name, method and path; one with GET takes every method without another route', () => {
    const routed = declared.filter(([name]) => Object.hasOwn(ROUTES, name)).map(([name, fn]) => [name, routeOf(fn)])
    const wanted = Object.entries<Route>(ROUTES).map(([name, { method, path }]) => [
      name,
      [`${method === 'GET' ? 'ANY' : method} ${path}`],
    ])
    expect(routed).toEqual(wanted)
  })

  it('no other function has a route, except the fallback for everything else', () => {
    const others = declared.filter(([name]) => !Object.hasOwn(ROUTES, name)).map(([name, fn]) => [name, routeOf(fn)])
    expect(others.filter(([, routes]) => routes?.length !== 0)).toEqual([['fallback', ['*']]])
  })
})
