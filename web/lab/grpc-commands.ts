interface NamedCommand {
  readonly name: string
  readonly command: string
}

const METHOD = 'gatehouse.v1.AuthService/WhoAmI'

/** The same call by tools for a terminal. @param origin where gRPC listens, as http or https */
export function grpcCommands(origin: string): readonly NamedCommand[] {
  const { host, hostname, port, protocol } = new URL(origin)
  const isPlain = protocol === 'http:'
  const target = port === '' ? `${hostname}:${isPlain ? 80 : 443}` : host
  return [
    { name: 'a token of the local run', command: 'TOKEN=$(npm run --silent token -- admin)' },
    {
      name: 'the call with npm',
      command: `npx @bufbuild/buf curl --protocol grpc ${isPlain ? '--http2-prior-knowledge ' : ''}--reflect-header '*' \\
  -H "authorization: Bearer $TOKEN" ${origin}/${METHOD}`,
    },
    {
      name: 'the call with grpcurl',
      command: `grpcurl ${isPlain ? '-plaintext ' : ''}-H "authorization: Bearer $TOKEN" ${target} ${METHOD}`,
    },
  ]
}
