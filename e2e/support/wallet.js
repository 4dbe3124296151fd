/** The address of a buyer's wallet, as the standard of such addresses has it in an example (BIP 173). */
export const WALLET = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
