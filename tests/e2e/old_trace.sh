#!/bin/sh
# Traces in the formats of versions 2 and 3, as those wrote them: every address is read as it was recorded, also in version
# 2, whose instructions take each other's slots.
set -u
. "$(dirname "$0")/common.inc"
cd "$work" || exit 2
old=$root/tests/data/old-trace

# Two CTAs of two warps go through a loop four times; in the third, half of the lanes do.
awk 'BEGIN {
	split("0 32 33 64", insn)
	split("4 8 128 4", stride)
	for (warp = 0; warp < 4; warp++)
		for (time = 0; time < 4; time++)
			for (i = 1; i <= 4; i++)
				printf "%04x %s 0x7f2a%08x %d\n", 16 * insn[i], time == 2 ? "0000ffff" : "ffffffff", \
					805306368 + 1048576 * insn[i] + 16384 * warp + time * (i == 3 ? 4096 : 128), stride[i]
}' >wanted
addresses() {
	exits 0 "$sluice" trace export "$1" -o "$2" && awk '$5 == "LDG.E" { print $1, $2, $(NF - 1), $NF }' "$2/kernel-1.traceg" >got &&
		diff wanted got
}
claim "a trace of version 2 has the addresses that were recorded" addresses "$old/version-2.sluice" text
claim "and so has one of version 3" addresses "$old/version-3.sluice" text-3
again() {
	exits 0 "$sluice" trace import text -o new.sluice && addresses new.sluice text-again
}
claim "they are the same when the trace is made anew" again
same() {
	exits 0 "$sluice" run "$old/version-$1.sluice" --json old.json && exits 0 "$sluice" run new.sluice --json new.json &&
		sed 's/"version-[23].sluice"/"new.sluice"/' old.json | diff - new.json
}
for version in 2 3; do
	claim "version $version and today's are simulated alike" same "$version"
done
finish
