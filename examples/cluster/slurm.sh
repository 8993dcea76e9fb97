#!/bin/bash
# A cluster for one job on Slurm: `sbatch examples/cluster/slurm.sh match chess --player … --player …`.
# The environment is on a file system that all nodes see.
#SBATCH --job-name=evalsmith
#SBATCH --nodes=4
#SBATCH --exclusive
#SBATCH --ntasks-per-node=1
#SBATCH --time=12:00:00
#SBATCH --signal=B:INT@120
set -euo pipefail

venv=${EVALSMITH_VENV:-$HOME/evalsmith-venv}
port=$((20000 + SLURM_JOB_ID % 20000))
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
address=$(srun --nodes=1 --ntasks=1 --nodelist="$head" hostname --ip-address | cut -d ' ' -f 1)

srun --nodes=1 --ntasks=1 --nodelist="$head" \
    "$venv/bin/ray" start --head --node-ip-address="$address" --port="$port" --block &
sleep 15
if [ "$SLURM_JOB_NUM_NODES" -gt 1 ]; then
    srun --nodes=$((SLURM_JOB_NUM_NODES - 1)) --ntasks=$((SLURM_JOB_NUM_NODES - 1)) --exclude="$head" \
        "$venv/bin/ray" start --address="$address:$port" --block &
    sleep 15
fi

# Two minutes before the end Slurm sends an interrupt: running games are finished, and the next job resumes.
export RAY_ADDRESS="$address:$port"
"$venv/bin/evalsmith" "$@" --on ray &
driver=$!
trap 'kill -INT $driver; wait $driver' INT
wait $driver
