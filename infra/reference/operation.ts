import { type Html, html } from '../../lib/http/pages/html.ts'
import {
  type ApiDocument,
  type ApiResponse,
  type Contents,
  type DocumentedOperation,
  exampleTarget,
  sampleBody,
  written,
} from './document.ts'
import { fieldList, fieldsIn, inline, markdown, typeOf } from './markdown.ts'

const TONES: Readonly<Record<string, string>> = { GET: 'run', POST: 'ok', PATCH: 'wait', DELETE: 'bad' }

export function methodBadge(method: string): Html {
  return html`<span class="badge solid method" data-tone="${TONES[method] ?? 'note'}">${method}</span>`
}

/** One operation: its access rule, its request and its answers. */
export function operationSection(operation: DocumentedOperation, document: ApiDocument): Html {
  const { operationId: id, method, path, summary, description } = operation
  const paragraphs = description.split('\n\n')
  return html`<section class="operation stack" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title"><a href="#${id}">${summary}</a></h3>
<p class="row flow">${methodBadge(method)}<code>${path}</code></p>
${markdown(paragraphs.slice(0, -1).join('\n\n')).filter(({ text }) => text !== '<p></p>\n')}<dl class="facts">
<dt>Access</dt><dd>${inline(paragraphs.at(-1) ?? '')}</dd>
${credentials(operation, document)}${operation['x-profile'] === undefined ? undefined : html`<dt>Profiles</dt><dd><code>${operation['x-profile']}</code> and <code>default</code></dd>\n`}<dt>Operation</dt><dd><code>${id}</code></dd>
</dl>
${parameters(operation)}${body(operation, document)}<h4>Request</h4>
<pre class="code">${requestOf(operation, document)}</pre>
${waysToTry(operation)}${answers(operation, document)}</section>
`
}

function credentials({ security }: DocumentedOperation, { components }: ApiDocument): Html | undefined {
  const ways = security.map((requirement) => Object.keys(requirement))
  if (ways.length === 0) return undefined
  const words = ways.map((names) =>
    names.length === 0
      ? html`<span class="chip">none</span> `
      : html`<span class="chip">${names.map((name) => nameOf(name, components.securitySchemes)).join(' with ')}</span> `,
  )
  return html`<dt>Credentials</dt><dd class="row flow">${words}</dd>\n`
}

/** Pages are opened; what else is called by the script of the page, or from the Auth lab with each kind of credentials. */
function waysToTry(operation: DocumentedOperation): Html | undefined {
  const { operationId, method, path, responses } = operation
  if (method === 'GET' && responses['200']?.content?.['text/html'])
    return html`<p><a class="btn" href="${exampleTarget(operation)}">Open the page</a></p>\n`
  if (!isTried(operation)) return undefined
  const lab = html`<p><a class="small" href="/console/playground">All kinds of credentials, in the Auth lab</a></p>\n`
  return html`<div data-try="${operationId}"></div>\n${path.startsWith('/api/') ? lab : undefined}`
}

/** Whether a script can show what an operation answers: a login that redirects is for browsers. */
export function isTried({ path }: DocumentedOperation): boolean {
  return /^\/(?:api\/|webhooks\/|openapi\.json$)/.test(path)
}

const NAMES: Readonly<Record<string, string>> = {
  bearer: 'bearer token',
  basic: 'HTTP Basic',
  session: 'session cookie',
  csrfToken: 'X-XSRF-TOKEN',
  apiKey: 'X-Api-Key',
}

function nameOf(scheme: string, schemes: ApiDocument['components']['securitySchemes']): string {
  return NAMES[scheme] ?? schemes[scheme]?.name ?? scheme
}

function parameters({ parameters = [] }: DocumentedOperation): Html | undefined {
  if (parameters.length === 0) return undefined
  const rows = parameters.map(
    ({ name, in: place, required, description, example, schema }) =>
      html`<dt><code>${name}</code> <span class="small">${place}${required ? '' : ', optional'}</span></dt><dd>${typeOf(schema)}${description === undefined ? undefined : html`<br>${inline(description)}`}${example === undefined ? undefined : html`<br>As <code>${String(example)}</code>`}</dd>\n`,
  )
  return html`<h4>Parameters</h4>\n<dl class="facts fields">\n${rows}</dl>\n`
}

function body({ requestBody }: DocumentedOperation, { components }: ApiDocument): Html | undefined {
  if (requestBody === undefined) return undefined
  const types = Object.keys(requestBody.content)
  const [media] = Object.values(requestBody.content)
  const fields = media ? fieldsIn(media.schema, components.schemas) : []
  return html`<h4>Body</h4>
<p class="small muted">${types.join(' or ')}${requestBody.required ? '' : ', optional'}</p>
${fields.length === 0 ? html`<p>As its sender writes it.</p>\n` : fieldList(fields)}`
}

/** How a call carries each kind of credentials. */
const SENT: Readonly<Record<string, string>> = {
  bearer: 'Authorization: Bearer <token>',
  basic: 'Authorization: Basic <base64 of name:password>',
  session: 'Cookie: JSESSIONID=<session>',
  csrfToken: 'X-XSRF-TOKEN: <token>',
}

/** A call with the first kind of credentials, as HTTP has it. */
function requestOf(operation: DocumentedOperation, { components }: ApiDocument): string {
  const { method, security } = operation
  const [first = {}] = security
  const headers = Object.keys(first).map((name) => SENT[name] ?? `${components.securitySchemes[name]?.name}: <proof>`)
  const body = sampleBody(operation)
  const lines = [`${method} ${exampleTarget(operation)} HTTP/1.1`, ...headers]
  return body === undefined
    ? lines.join('\n')
    : `${[...lines, `Content-Type: ${body.type}`].join('\n')}\n\n${body.text}`
}

function answers({ responses }: DocumentedOperation, document: ApiDocument): Html {
  const all = Object.entries(responses)
  const taken = all.filter(([status]) => Number(status) < 400)
  const refused = all.filter(([status]) => Number(status) >= 400)
  const statuses = refused.map(([status]) => status).join(', ')
  return html`<h4>Answers</h4>
${taken.map(([status, response]) => answer(status, response, document))}<details><summary>Errors: ${statuses}</summary>
<div class="stack errors">
${refused.map(([status, response]) => error(status, response))}</div>
</details>
`
}

function answer(status: string, { description, headers = {}, content = {} }: ApiResponse, document: ApiDocument): Html {
  const schemas = Object.values(content).map(({ schema }) => schema)
  const fields = schemas.flatMap((schema) => fieldsIn(schema, document.components.schemas))
  return html`<p class="row flow"><span class="badge solid" data-tone="ok">${status}</span><span>${inline(description)}</span></p>
${ownHeaders(headers)}${examples(content)}${fields.length === 0 ? undefined : html`<details><summary>Fields of the answer</summary>\n${fieldList(fields)}</details>\n`}`
}

function error(status: string, { headers = {}, content = {} }: ApiResponse): Html {
  return html`<p class="row flow"><span class="badge solid" data-tone="wait">${status}</span>${ownHeaders(headers)}</p>
${examples(content)}`
}

function ownHeaders(headers: object): Html | undefined {
  const names = Object.keys(headers)
  if (names.length === 0) return undefined
  return html`<span class="small muted">with ${names.map((name, index) => html`${index === 0 ? '' : ', '}<code>${name}</code>`)}</span>\n`
}

function examples(content: Contents): readonly Html[] {
  return Object.entries(content).flatMap(([type, { example, examples = {} }]) => {
    const values = example === undefined ? Object.values(examples).map(({ value }) => value) : [example]
    return values.map((value) => html`<pre class="code" data-type="${type}">${written(value)}</pre>\n`)
  })
}
