// SPDX-License-Identifier: GPL-2.0-only
/*
 * Idle states and frequencies for one CPU of QEMU's q35 machine, as firmware would describe them.
 * run compiles a table for each CPU; C000 stands for its name.
 */
DefinitionBlock ("", "SSDT", 2, "CPUPR", "PM-C000", 1)
{
    External (\_SB.CPUS.C000, DeviceObj)

    Scope (\_SB.CPUS.C000)
    {
        // Type, worst-case latency (us), power (mW). Nothing decodes C2's port: it returns at once.
        Name (_CST, Package () {
            2,
            Package () { ResourceTemplate () { Register (FFixedHW, 0, 0, 0) }, 1, 1, 1000 },
            Package () { ResourceTemplate () { Register (SystemIO, 8, 0, 0x1414) }, 2, 20, 500 }
        })

        // A DMA page register that nobody uses: a port that gives back what was written to it.
        Name (_PCT, Package () {
            ResourceTemplate () { Register (SystemIO, 8, 0, 0x83) },
            ResourceTemplate () { Register (SystemIO, 8, 0, 0x83) }
        })

        // MHz, mW, transition latency and bus master latency (us), control, status
        Name (_PSS, Package () {
            Package () { 2200, 20000, 10, 10, 0x16, 0x16 },
            Package () { 1100, 10000, 10, 10, 0x0B, 0x0B }
        })

        Name (_PPC, 0)
    }
}
