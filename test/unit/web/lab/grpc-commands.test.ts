import { expect, it, vi } from 'vitest'

vi.stubGlobal('document', { getElementById: () => ({ textContent: '{"demoUsers":[]}' }) })
const { grpcCommands } = await import('../../../../web/lab/channels.tsx')

it.each([
  ['http://127.0.0.1:25551', '-plaintext -H "authorization: Bearer $TOKEN" 127.0.0.1:25551 ', true],
  ['https://channels.example.com', '-H "authorization: Bearer $TOKEN" channels.example.com:443 ', false],
])('the commands call %s', (origin, target, isPlain) => {
  const [, buf, grpcurl] = grpcCommands(origin).map(({ command }) => command)
  expect(grpcurl).toBe(`grpcurl ${target}gatehouse.v1.AuthService/WhoAmI`)
  expect(buf).toContain(` ${origin}/gatehouse.v1.AuthService/WhoAmI`)
  expect(buf?.includes('--http2-prior-knowledge')).toBe(isPlain)
})
