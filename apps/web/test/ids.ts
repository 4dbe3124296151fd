/** A UUID that ends in a number: 1 makes `01900000-0000-7000-8000-000000000001`. */
export const uuid = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
