import type { Reply } from '../message.ts'
import { html } from './html.ts'

/** Our own scripts and styles and nothing of anybody else; Swagger UI writes HTML, so there can be no Trusted Types. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The description of the API, to look at and to try. */
export function docsPage(): Reply {
  const { text } = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gatehouse API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/swagger-ui-init.js" defer></script>
</head>
<body><div id="swagger-ui"></div></body>
</html>
`
  return {
    statusCode: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
    body: text,
  }
}
