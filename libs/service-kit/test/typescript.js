// Lets a test start a TypeScript entry as a process of its own: node --conditions=source --import <this> entry.ts
import { register } from 'node:module'

register('./typescript-hooks.js', import.meta.url)
