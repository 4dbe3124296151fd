/** SVG markup. A picture is one text of it, 1200 by 800. */
export type Svg = string
/** What a shape is filled or drawn with: a colour, or a gradient of the sheet. */
export type Paint = string
/** A colour with the place where it stands (0 to 1) and how opaque it is (1 when left out). */
export type Stop = readonly [at: number, colour: string, opacity?: number]

/** Collects the gradients and filters of a picture, and gives each a name of its own. */
export class Sheet {
  readonly #defs: string[] = []

  /** A gradient across a shape's box, from one corner's fraction to another's: `[0, 0, 1, 0]` runs left to right. */
  linear(direction: readonly [number, number, number, number], ...stops: Stop[]): Paint {
    const [x1, y1, x2, y2] = direction
    return this.#define(
      id =>
        `<linearGradient id="${id}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stops.map(stopOf).join('')}</linearGradient>`,
    )
  }

  /** A gradient from a point of a shape's box outwards, in fractions of the box. */
  radial(centre: readonly [number, number, number], ...stops: Stop[]): Paint {
    const [cx, cy, r] = centre
    return this.#define(
      id => `<radialGradient id="${id}" cx="${cx}" cy="${cy}" r="${r}">${stops.map(stopOf).join('')}</radialGradient>`,
    )
  }

  /** Tubes and posts lit from the left: dark edges, a light at a third. */
  round(dark: string, base: string, light: string): Paint {
    return this.linear([0, 0, 1, 0], [0, dark], [0.16, base], [0.34, light], [0.55, base], [1, dark])
  }

  /** The same lying: lit from above. */
  lying(dark: string, base: string, light: string): Paint {
    return this.linear([0, 0, 0, 1], [0, base], [0.24, light], [0.5, base], [1, dark])
  }

  /** A filter that makes a silhouette of whatever it is applied to, and blurs it: a shadow. */
  shadow(blur: number, colour = '#2a1c10'): string {
    const [r, g, b] = [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    return this.#define(
      id =>
        `<filter id="${id}" x="-30%" y="-30%" width="160%" height="160%" color-interpolation-filters="sRGB">` +
        `<feColorMatrix values="0 0 0 0 ${r} 0 0 0 0 ${g} 0 0 0 0 ${b} 0 0 0 1 0"/>` +
        `<feGaussianBlur stdDeviation="${blur}"/></filter>`,
    )
  }

  /** Shows of `what` only what lies within a shape. */
  clip(shape: Svg, what: Svg): Svg {
    const name = this.#define(id => `<clipPath id="${id}">${shape}</clipPath>`)
    return `<g clip-path="${name}">${what}</g>`
  }

  /** Shows of `what` as much as a shape is bright: all where it is white, nothing where it is black. */
  mask(shape: Svg, what: Svg): Svg {
    const name = this.#define(
      id => `<mask id="${id}" maskUnits="userSpaceOnUse" x="-600" y="-600" width="2400" height="2400">${shape}</mask>`,
    )
    return `<g mask="${name}">${what}</g>`
  }

  /** @returns the definitions; to be written before what uses them */
  defs(): Svg {
    return `<defs>${this.#defs.join('')}</defs>`
  }

  #define(write: (id: string) => string): string {
    const id = `d${this.#defs.length}`
    this.#defs.push(write(id))
    return `url(#${id})`
  }
}

const stopOf = ([at, colour, opacity]: Stop) =>
  `<stop offset="${at}" stop-color="${colour}"${opacity === undefined ? '' : ` stop-opacity="${opacity}"`}/>`
