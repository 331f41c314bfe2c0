import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../lib/runtime/config.ts'
import { channelSettings } from '../../../lib/runtime/settings/channels.ts'
import { execForm, healthCommand, lastOf, pairsOf, readDockerfile } from '../../support/dockerfile.ts'

const { head, stages } = readDockerfile('infra/adapter/Dockerfile')
const [build, final] = stages
if (!build || !final) throw new Error('the Dockerfile has two stages')

const { GRPC_PORT, WS_PORT } = loadConfig(channelSettings, [], {})

describe('K10 the Dockerfile', () => {
  it('has two stages, whose images are arguments with a tag and without a made-up digest', () => {
    expect(head.map(({ name }) => name)).toEqual(['ARG', 'ARG'])
    const images = Object.fromEntries(head.map(({ argument }) => argument.split('=', 2)))
    expect(images).toEqual({
      BUILD_IMAGE: expect.stringMatching(/^node:24-[\w-]+$/),
      RUNTIME_IMAGE: expect.stringMatching(/^[\w./]+distroless\/nodejs24-[\w-]+:nonroot$/),
    })
    expect(stages.map(({ from }) => from.argument)).toEqual([
      expect.stringMatching(/^\$\{BUILD_IMAGE\} AS build$/),
      expect.stringMatching(/^\$\{RUNTIME_IMAGE\}$/),
    ])
    expect(build.from.flags, 'JavaScript needs no emulated processor').toEqual({ platform: '$BUILDPLATFORM' })
  })

  it('runs as nobody, over files of root', () => {
    expect(lastOf(final, 'USER').argument).toBe('65532:65532')
    const names = final.instructions.map(({ name, argument }) => (name === 'USER' ? `USER ${argument}` : name))
    expect(names.indexOf('USER 0:0')).toBeLessThan(names.indexOf('WORKDIR'))
    expect(names.lastIndexOf('COPY')).toBeLessThan(names.indexOf('USER 65532:65532'))
    const copies = final.instructions.filter(({ name }) => name === 'COPY')
    expect(copies.map(({ flags }) => flags)).toEqual([{ from: 'build', chown: '0:0' }])
  })

  it('starts no shell', () => {
    const started = stages.flatMap(({ instructions }) => instructions.filter(({ name }) => name === 'RUN'))
    expect(started.map((instruction) => execForm(instruction)[0])).toEqual(['npm', 'node'])
    expect(final.instructions.filter(({ name }) => name === 'RUN')).toEqual([])
    expect(execForm(lastOf(final, 'ENTRYPOINT'))).toEqual(['/nodejs/bin/node'])
    expect(execForm(lastOf(final, 'CMD')).at(-1)).toBe('index.mjs')
    expect(healthCommand(final)).toEqual(['/nodejs/bin/node', 'healthcheck.mjs'])
  })

  it('shows the ports that the settings have, listens on every interface, and has the labels of OCI', () => {
    expect(lastOf(final, 'EXPOSE').argument).toBe(`${GRPC_PORT} ${WS_PORT}`)
    expect(pairsOf(final, 'ENV')).toEqual({ NODE_ENV: 'production', HOME: '/app', CHANNELS_HOST: '0.0.0.0' })
    const labels = ['title', 'description', 'licenses', 'version', 'revision', 'base.name']
    expect(Object.keys(pairsOf(final, 'LABEL'))).toEqual(labels.map((label) => `org.opencontainers.image.${label}`))
  })

  it('copies all that .dockerignore lets through, and nothing else', () => {
    const lines = readFileSync('.dockerignore', 'utf8').split('\n')
    const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'))
    const copied = build.instructions
      .filter(({ name }) => name === 'COPY')
      .flatMap(({ argument }) => argument.split(' ').slice(0, -1))
      .map((path) => `!${path.replace(/\/$/, '')}`)
    expect(patterns).toEqual(['**', ...copied])
  })
})
