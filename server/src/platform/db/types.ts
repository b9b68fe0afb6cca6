import { type CustomTypesConfig, types } from 'pg'

/** 64-bit integers become `bigint`: as numbers they would lose digits. */
export const TYPES: CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === types.builtins.INT8 && format !== 'binary') return BigInt
    return types.getTypeParser(oid, format)
  },
}
