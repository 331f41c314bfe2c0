import { describe, expect, it } from 'vitest'
import { billOfMaterials } from '../../../../infra/supply/bill-of-materials.ts'
import { packageIn } from '../../../../infra/supply/packages.ts'

const BATCH = 'node_modules/@aws-lambda-powertools/batch'
const { components, dependencies, metadata } = billOfMaterials({
  'functions/b.ts': [BATCH, 'node_modules/zod'],
  'functions/a.ts': [BATCH],
})

describe('the bill of materials', () => {
  it('says which packages are in which part', () => {
    const { version } = packageIn(BATCH)
    const batch = `pkg:npm/%40aws-lambda-powertools/batch@${version}`
    expect(dependencies).toEqual([
      { ref: 'gatehouse', dependsOn: ['functions/a.ts', 'functions/b.ts'] },
      { ref: 'functions/a.ts', dependsOn: [batch] },
      { ref: 'functions/b.ts', dependsOn: [batch, expect.stringMatching(/^pkg:npm\/zod@/)] },
    ])
  })

  it('has each package once, with version, licence and the hash that the lockfile has', () => {
    const { version, integrity } = packageIn(BATCH)
    const library = components.filter(({ name }) => name === '@aws-lambda-powertools/batch')
    expect(library).toMatchObject([{ version, licenses: [{ expression: 'MIT-0' }], hashes: [{ alg: 'SHA-512' }] }])
    expect(library).toMatchObject([{ hashes: [{ content: expect.stringMatching(/^[\da-f]{128}$/) }] }])
    expect(JSON.stringify(library)).toContain(Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'))
  })

  it('refers only to what is in it, each under a name of its own', () => {
    const references = [metadata.component, ...components].map((component) => component['bom-ref'])
    expect(new Set(references).size).toBe(references.length)
    expect(references).toEqual(
      expect.arrayContaining(dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])),
    )
  })
})
