import { OPERATIONS_ID, type TriedOperation } from '../../lib/contract/console.ts'
import { type Html, html, jsonBlock } from '../../lib/http/pages/html.ts'
import { type ApiDocument, type DocumentedOperation, operationsOf, sampleBody, sampleValue } from './document.ts'
import { inline, markdown } from './markdown.ts'
import { isTried, methodBadge, operationSection } from './operation.ts'

/** The main part of the page /docs. @param text of docs/openapi.json */
export function referenceOf(text: string): string {
  return reference(JSON.parse(text)).text
}

function reference(document: ApiDocument): Html {
  const [lead = '', ...paragraphs] = document.info.description.split('\n\n')
  const groups = [...Map.groupBy(operationsOf(document), ({ tags: [tag = ''] }) => tag)]
  return html`<div class="reference">
<nav class="scroll contents" aria-label="Operations">
${groups.map(([tag, operations]) => html`<h2>${tag}</h2>\n<ul>${operations.map(contentsItem)}</ul>\n`)}</nav>
<section class="scroll" aria-label="Reference" tabindex="0">
<div class="prose stack wide">
<p class="lead">${lead}</p>
<p class="muted small">Version ${document.info.version}</p>
<ul class="row flow" aria-label="Groups">${groups.map(([tag]) => html`<li><a class="btn" href="#${groupId(tag)}">${tag}</a></li>`)}</ul>
${introduction(paragraphs.join('\n\n'), document)}${groups.map(([tag, operations]) => group(tag, operations, document))}</div>
</section>
</div>
${jsonBlock(OPERATIONS_ID, operationsOf(document).filter(isTried).map(triedOf))}`
}

function contentsItem({ operationId, method, path }: DocumentedOperation): Html {
  return html`<li><a href="#${operationId}">${methodBadge(method)}<span class="clip">${path}</span></a></li>`
}

function groupId(tag: string): string {
  return `group-${tag.toLowerCase()}`
}

function introduction(text: string, { components, ...document }: ApiDocument): Html {
  const schemes = Object.entries(components.securitySchemes).map(
    ([name, { description }]) => html`<dt>${name}</dt><dd>${inline(description)}</dd>\n`,
  )
  const headers = Object.entries(document['x-common-headers']).map(
    ([name, { description = '', schema }]) =>
      html`<dt><code>${name}</code></dt><dd>${schema?.const === undefined ? undefined : html`<code>${String(schema.const)}</code> `}<span class="muted">${description}</span></dd>\n`,
  )
  return html`<div class="stack">
${markdown(text)}<noscript><p class="note">Calls that one tries here need JavaScript. All else on this page does not.</p></noscript>
<details><summary>Credentials</summary>
<dl class="facts fields">
${schemes}</dl></details>
<details><summary>Headers of every answer</summary>
<dl class="facts fields">
${headers}</dl></details>
</div>
`
}

function group(tag: string, operations: readonly DocumentedOperation[], document: ApiDocument): Html {
  const description = document.tags.find(({ name }) => name === tag)?.description ?? ''
  const items = operations.map(
    ({ operationId, method, path, summary }) =>
      html`<li><a href="#${operationId}">${methodBadge(method)}<code>${path}</code></a> <span class="muted">${summary}</span></li>\n`,
  )
  return html`<section class="group stack wide" aria-labelledby="${groupId(tag)}">
<div class="stack">
<h2 id="${groupId(tag)}">${tag}</h2>
<p class="muted">${description}</p>
<ul class="index">
${items}</ul>
</div>
${operations.map((operation) => operationSection(operation, document))}</section>
`
}

/** What the script needs in order to call an operation. */
function triedOf(operation: DocumentedOperation): TriedOperation {
  const { operationId: id, method, path, parameters = [] } = operation
  const body = sampleBody(operation)
  return {
    id,
    method,
    path,
    parameters: parameters.map((one) => ({
      name: one.name,
      in: one.in,
      value: (one.in === 'path' ? sampleValue(one) : undefined) ?? '',
    })),
    ...(body && { type: body.type, body: body.text }),
  }
}
