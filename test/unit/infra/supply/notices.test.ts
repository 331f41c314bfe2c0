import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { noticesOf } from '../../../../infra/supply/notices.ts'

const textOf = (file: string) => readFileSync(file, 'utf8').trim()

describe('the notices of a bundle', () => {
  it('are the licenses of the packages in it, word for word, each text once', () => {
    const notices = noticesOf([
      'node_modules/ws',
      'node_modules/@aws-sdk/client-sns',
      'node_modules/@aws-sdk/client-sqs',
    ])
    expect(notices).toMatch(/^ws [\d.]+ \(MIT\)$/m)
    expect(notices).toMatch(/^@aws-sdk\/client-sns [\d.]+ \(Apache-2.0\)\n@aws-sdk\/client-sqs [\d.]+ \(Apache-2.0\)$/m)
    expect(notices).toContain(textOf('node_modules/ws/LICENSE'))
    expect(notices.split(textOf('node_modules/@aws-sdk/client-sns/LICENSE'))).toHaveLength(2)
  })

  it('include the attributions of a package', () => {
    expect(noticesOf(['node_modules/playwright-core'])).toContain(textOf('node_modules/playwright-core/NOTICE'))
  })

  it.each([
    ['@middy/core', /will Farrell.*\n\nPermission is hereby granted[\s\S]*shall be included in all copies/],
    ['@aws-lambda-powertools/batch', /Amazon.com.*\n\nPermission is hereby granted[\s\S]*to do so\.\n/],
    [
      '@bufbuild/protobuf',
      /Buf Technologies[\s\S]*Apache License[\s\S]*Copyright 2008 Google[\s\S]*Redistributions in binary form/,
    ],
    ['@aws-sdk/nested-clients', /Apache License/],
  ])('contain a text for %s, which contains none', (name, text) => {
    expect(noticesOf([`node_modules/${name}`])).toMatch(text)
  })

  it('cannot include a package with an unknown license', () => {
    expect(() => noticesOf(['node_modules/precond'])).toThrow('precond has no licence file')
  })
})
