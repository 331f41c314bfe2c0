import { Buffer } from 'node:buffer'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { buildConsole } from '../../../infra/console.ts'
import { SCRIPT_PAGES } from '../../../lib/contract/console.ts'

const { manifest, assets } = await buildConsole()
const bytesOf = (name: string) => Buffer.from(assets[name]?.brotli ?? '', 'base64')
const textOf = (name: string) => brotliDecompressSync(bytesOf(name)).toString()
const scripts = Object.values(manifest.scripts).flat()
const importsOf = (name: string) => Array.from(textOf(name).matchAll(/"\.\/([\w-]+\.js)"/g), ([, file = '']) => file)
/** What scripts import once it is wanted. */
const wanted = scripts.flatMap(importsOf)
const lazy = [...wanted, ...wanted.flatMap(importsOf)].filter((name) => !scripts.includes(name))
/** What a script says that its licences are in. */
const licencesOf = (name: string) =>
  Array.from(textOf(name).matchAll(/^\/\*! .* see (\S+) \*\/$/gm), ([, file = '']) => file)
const licences = [...scripts, ...lazy].flatMap(licencesOf)
const names = [
  ...new Set([manifest.style, manifest.icon, manifest.icons, manifest.asyncapi, ...scripts, ...lazy, ...licences]),
]

describe('the build of the console', () => {
  it('consists of the files in the manifest, the scripts that are imported later and their licenses', () => {
    expect(Object.keys(assets).sort()).toEqual(names.toSorted())
  })

  it('keeps the STOMP client out of the scripts that a page loads at once', () => {
    expect(lazy.some((name) => textOf(name).includes('CONNECT'))).toBe(true)
    expect(scripts.some((name) => textOf(name).includes('accept-version'))).toBe(false)
  })

  it.each(names)('%s has a hash in its name, a type, and a content', (name) => {
    expect(name).toMatch(/^\w+-[0-9A-Z]{8}\.(js|js\.LEGAL\.txt|css|svg|json)$/)
    expect(assets[name]?.type).toMatch(/^(text\/(javascript|css|plain); charset=utf-8|image\/svg\+xml)$/)
    expect(textOf(name).length).toBeGreaterThan(20)
  })

  it('contains the licenses of third-party code, each beside a script with such code', () => {
    const texts = licences.map(textOf).join('\n')
    for (const name of ['preact', '@preact/signals', '@stomp/stompjs']) {
      expect(texts).toMatch(new RegExp(`/\\*! ${name} [\\d.]+ \\(`))
    }
    expect(texts).toContain('Permission is hereby granted, free of charge')
  })

  it('has one script for what pages share, and one that follows changes', () => {
    const shared = new Set(Object.values(manifest.scripts).map(([, file]) => file))
    expect([shared.size, new Set(lazy.filter((name) => textOf(name).includes('accept-version'))).size]).toEqual([1, 1])
  })

  it('gives each page a script', () => {
    expect(Object.keys(manifest.scripts).sort()).toEqual([...SCRIPT_PAGES, 'docs', 'home', 'login'].sort())
  })

  it.each(Object.entries(manifest.scripts))('%s loads two scripts of less than 60 KB, compressed', (_, loaded) => {
    expect(loaded).toHaveLength(2)
    const sizes = loaded.map((name) => bytesOf(name).length)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60_000)
  })

  it('the style sheet follows the color scheme, and requests nothing from another host', () => {
    const css = textOf(manifest.style)
    expect(css).toContain('light-dark(')
    expect(css).not.toMatch(/url\(|@import|@font-face/)
  })
})
