import type { Ready } from './ready.ts'

/** What `npm start` shows when everything is up. */
export function screenOf(ready: Ready, log: string): string {
  const { http, ws, stompTcp, grpc, idp, ldap, dynamodb, sqs, data, users } = ready
  const [admin] = users
  return `
Gatehouse is ready

  HTTP API     ${http}
  STOMP        ${ws}${stompTcp === null ? '' : `, ${stompTcp} over TCP`}
  gRPC         ${grpc}
${ldap === null ? '' : `  Directory    ${ldap}\n`}${linesOf(idp)}  DynamoDB     ${dynamodb}
  SQS and SNS  ${sqs}
  Data         ${data}
  Log          ${log}

Demo users (local run only)

${users.map(({ username, password, role }) => `  ${username.padEnd(28)}  ${password.padEnd(15)}  ${role ?? 'no role: no token'}`).join('\n')}

Try

  curl ${http}/api/public/hello
  TOKEN=$(curl -s ${http}/api/auth/login -d username=${admin?.username} -d password=${admin?.password} | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
  curl -H "Authorization: Bearer $TOKEN" ${http}/api/admin/secure
  curl -H "Authorization: Bearer $TOKEN" ${http}/api/auth/info
${idp === null ? '' : `  Open ${http}/oauth2/authorization/google in a browser\n`}  npm run send -- stripe payment_intent.succeeded

Ctrl-C stops

`
}

function linesOf(idp: Ready['idp']): string {
  const lines = Object.entries(idp ?? {}).map(([name, address]) => `  ${name.padEnd(11)}  ${address}\n`)
  return lines.join('')
}
