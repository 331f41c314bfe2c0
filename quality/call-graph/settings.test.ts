import { afterAll, beforeAll, expect, it } from 'vitest'
import { packagedTemplate } from '../../test/support/template/packaged.ts'
import { ofType, type Template } from '../../test/support/template/template.ts'
import { openCode } from './reachable-code.ts'
import { settingsOf, sourceOf } from './settings-read.ts'

interface FunctionProperties {
  readonly Handler: string
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> }
}

const code = openCode()
afterAll(() => code.close())

let template: Template

beforeAll(async () => {
  template = await packagedTemplate('prod')
})

it('a packaged function has the settings that its code reads', () => {
  const functions = ofType(template, 'AWS::Lambda::Function').map(
    ({ Properties }) => Properties as unknown as FunctionProperties,
  )
  const told = new Set(functions.flatMap(({ Environment }) => Object.keys(Environment.Variables)))
  const missing = functions.flatMap(({ Handler, Environment }) => {
    const read = settingsOf(code.reachedFrom(sourceOf(Handler)), code).filter((name) => told.has(name))
    return read.filter((name) => !Object.hasOwn(Environment.Variables, name)).map((name) => `${Handler}: ${name}`)
  })
  expect(told.size).toBeGreaterThanOrEqual(10)
  expect(missing).toEqual([])
})
