import { describe, expect, it } from 'vitest'
import { forGenerators } from '../../../infra/description/for-generators.ts'
import { openApiDocument } from '../../../infra/description/openapi.ts'

type Schema = Readonly<Record<string, unknown>>

const TIME = { type: 'string', format: 'date-time', description: 'A point in time.' }
const ROLE = { type: 'string', enum: ['ROLE_ADMIN', 'ROLE_USER'] }
const PROOF = { type: 'object', properties: {} }

function mended(schema: object): unknown {
  const { components } = forGenerators({
    components: { schemas: { Time: TIME, Role: ROLE, Proof: PROOF, It: schema } },
  })
  return (components as { readonly schemas: { readonly It: unknown } }).schemas.It
}

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const NULL = { type: 'null' }

describe('the description says the same in words that generators understand', () => {
  it.each([
    ['null beside a text', { anyOf: [{ type: 'string' }, NULL] }, { type: ['string', 'null'] }],
    ['null beside a named text', { anyOf: [refTo('Time'), NULL] }, { ...TIME, type: ['string', 'null'] }],
    [
      'null beside a named text with a meaning of its own',
      { anyOf: [refTo('Time'), NULL], description: 'The last call.' },
      { ...TIME, type: ['string', 'null'], description: 'The last call.' },
    ],
    [
      'null beside a named list of values',
      { anyOf: [refTo('Role'), NULL] },
      { type: ['string', 'null'], enum: ['ROLE_ADMIN', 'ROLE_USER', null] },
    ],
    [
      'several types',
      { type: ['number', 'string', 'null'] },
      { anyOf: [{ type: 'number' }, { type: 'string' }, NULL] },
    ],
    [
      'a format that has a pattern',
      { type: 'string', format: 'uuid', pattern: '^x$' },
      { type: 'string', format: 'uuid' },
    ],
    ['the name of a check', { type: 'string', format: 'hex', pattern: '^x$' }, { type: 'string', pattern: '^x$' }],
    ['a whole number', { type: 'number', const: 401 }, { type: 'integer', const: 401 }],
    ['the constant false', { type: 'boolean', const: false }, { type: 'boolean', enum: [false] }],
    ['a constant with an apostrophe', { type: 'string', const: "don't" }, { type: 'string', examples: ["don't"] }],
  ])('%s', (_, schema, expected) => {
    expect(mended(schema)).toEqual(expected)
  })

  it.each([
    ['null beside a named object', { anyOf: [refTo('Proof'), NULL] }],
    ['one of several objects, or null', { anyOf: [refTo('Proof'), refTo('Role'), NULL] }],
    ['a type and null', { type: ['string', 'null'], maxLength: 3 }],
    ['another format with a pattern', { type: 'string', format: 'password', pattern: '^x$' }],
    ['a fraction', { type: 'number', const: 0.5 }],
    ['the constant true', { type: 'boolean', const: true }],
    ['a text', { type: 'string', const: 'Unauthorized' }],
  ])('but leaves %s', (_, schema) => {
    expect(mended(schema)).toEqual(schema)
  })
})

describe('the description of the HTTP API', () => {
  it('has nothing that generators misread', () => {
    const document = openApiDocument()
    expect(forGenerators(document)).toEqual(document)
    const nullable = schemasIn(document).filter(({ type }) => Array.isArray(type) && type.includes('null'))
    expect(nullable.length).toBeGreaterThan(20)
  })
})

function schemasIn(part: unknown): readonly Schema[] {
  if (typeof part !== 'object' || part === null) return []
  return [part as Schema, ...Object.values(part).flatMap(schemasIn)]
}
