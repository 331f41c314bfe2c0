import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { parse } from 'yaml'
import type { HttpAnswer } from '../../localstack/strict/http-api.ts'

type EdgeHeaders = Record<string, readonly { readonly key?: string; readonly value: string }[]>

/** The event of CloudFront for an answer of the origin (CloudFront developer guide, "Lambda@Edge event structure"). */
interface EdgeEvent {
  readonly Records: readonly [{ readonly cf: { readonly response: EdgeResponse } }]
}

interface EdgeResponse {
  readonly status: string
  readonly headers: EdgeHeaders
}

const { Resources } = parse(readFileSync('infra/edge/challenge.yml', 'utf8'), { logLevel: 'silent' })
const module = { exports: {} as { handler(event: EdgeEvent): Promise<EdgeResponse> } }
runInContext(Resources.Challenge.Properties.Code.ZipFile, createContext(module))

/** What the function at the edge makes of an answer of the HTTP API. */
export async function behindEdge(answer: HttpAnswer): Promise<HttpAnswer> {
  const headers: EdgeHeaders = Object.fromEntries(
    Array.from(
      Map.groupBy(answer.headers, ([name]) => name),
      ([name, same]) => [name, same.map(([, value]) => ({ key: name, value }))],
    ),
  )
  const response = await module.exports.handler({
    Records: [{ cf: { response: { status: String(answer.status), headers } } }],
  })
  const restored = Object.entries(response.headers).flatMap(([name, values]) =>
    values.map(({ value }) => [name, value] as const),
  )
  return { ...answer, headers: restored }
}
