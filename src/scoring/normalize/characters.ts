/** ASCII classes of UTF-16 units. */

export const isLower = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a

export const isUpper = (unit: number): boolean => unit >= 0x41 && unit <= 0x5a

export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39

export const isWordUnit = (unit: number): boolean => isLower(unit) || isUpper(unit) || isDigit(unit)
