import { describe, expect, it } from 'vitest'
import { type Metric, searchesIn } from '../../support/cloudwatch/search.ts'

const metric = (name: string, namespace = 'MyNamespace', dimensions = {}): Metric => ({ namespace, name, dimensions })

function found(query: string, metrics: readonly Metric[]): readonly string[] {
  return searchesIn(`SUM(SEARCH('${query}', 'Sum'))`, metrics).flatMap((each) => each.map(({ name }) => name))
}

/** The examples of the CloudWatch user guide, "CloudWatch search expression syntax". */
describe('a search of CloudWatch', () => {
  it.each([
    ['count', true],
    ['Count', true],
    ['COUNT', true],
    ['couNT', false],
    ['CustomCount', true],
    ['Count1', true],
    ['customcount', false],
    ['count1', false],
    ['"CustomCount1"', true],
    ['"customcount1"', false],
    ['"Custom"', false],
  ])('for %s finds CustomCount1: %s', (term, isFound) => {
    expect(found(`{MyNamespace} ${term}`, [metric('CustomCount1')])).toEqual(isFound ? ['CustomCount1'] : [])
  })

  it.each(['Network/Errors', 'Network+Errors', 'Network-Errors', 'Network_Errors'])(
    'for %s considers only letters and digits',
    (term) => {
      const metrics = [metric('Network-Errors-2'), metric('NetworkErrors2'), metric('Network-2-Errors')]
      expect(found(`{MyNamespace} ${term}`, metrics)).toEqual(['Network-Errors-2', 'NetworkErrors2'])
    },
  )

  const FUNCTIONS = [
    metric('Errors', 'AWS/Lambda', { FunctionName: 'shop-ProjectA' }),
    metric('Invocations', 'AWS/Lambda', { FunctionName: 'shop-ProjectA' }),
    metric('Invocations', 'AWS/Lambda', { FunctionName: 'shop-ProjectC' }),
    metric('Errors', 'AWS/Lambda', {}),
    metric('Errors', 'AWS/EC2', { FunctionName: 'shop-ProjectA' }),
  ]

  it.each([
    ['{AWS/Lambda,FunctionName} MetricName="Errors"', ['Errors']],
    ['{AWS/Lambda} MetricName="Errors"', ['Errors']],
    [
      '{AWS/Lambda,FunctionName} MetricName="Errors" OR (MetricName="Invocations" AND (ProjectA OR ProjectB))',
      ['Errors', 'Invocations'],
    ],
    ['{AWS/Lambda,FunctionName} NOT ProjectA', ['Invocations']],
    ['{AWS/Lambda,FunctionName} FunctionName=ProjectC', ['Invocations']],
    ['{AWS/Lambda,FunctionName} FunctionName="shop-ProjectA" Errors', ['Errors']],
    ['{AWS/Lambda,FunctionName} "shop"', []],
    ['{AWS/Lambda,FunctionName,Resource} Errors', []],
  ])('follows its schema and its words: %s', (query, names) => {
    expect(found(query, FUNCTIONS)).toEqual(names)
  })

  it('of more than 1,024 characters is refused', () => {
    expect(() => found(`{MyNamespace} ${'a'.repeat(1024)}`, [])).toThrow('a search has')
  })

  it.each(['{A} (b', '{A} b)'])('that is not an expression is refused: %s', (query) => {
    expect(() => found(query, [])).toThrow()
  })
})
