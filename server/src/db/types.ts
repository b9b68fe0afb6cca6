import pg from 'pg'

/** 64-bit integers become `bigint`: as numbers they would lose digits. */
export const TYPES: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return BigInt
    return pg.types.getTypeParser(oid, format)
  },
}
