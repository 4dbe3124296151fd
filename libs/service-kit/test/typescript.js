// Lets a test start a TypeScript file as a process: node --conditions=source --import <this file> entry.ts
import { register } from 'node:module'

register('./typescript-hooks.js', import.meta.url)
