declare const checked: unique symbol

/** An IPv4 or IPv6 address without port, brackets and zone. Nothing else is stored as the address of an entry. */
export type ClientAddress = string & { [checked]: true }
