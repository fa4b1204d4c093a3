// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {DepositAddress, IVault} from "./DepositAddress.sol";

/// @title Deploys deposit addresses when they are first needed, and sweeps many in one call.
/// @notice It holds nothing and decides nothing: an address depends only on this factory, the vault and the wallet.
contract DepositFactory {
    /// @notice Sweeps the deposit addresses of these wallets and returns what each one held.
    /// @dev One that cannot be swept does not stop the others. Its amount is 0.
    function sweep(IVault vault, IERC20 token, address[] calldata wallets)
        external
        returns (uint256[] memory amounts)
    {
        amounts = new uint256[](wallets.length);
        for (uint256 i = 0; i < wallets.length; i++) {
            address at = addressOf(vault, wallets[i]);
            if (at.code.length == 0) new DepositAddress{salt: 0}(vault, wallets[i]);
            try DepositAddress(at).sweep(token) returns (uint256 amount) {
                amounts[i] = amount;
            } catch {}
        }
    }

    /// @notice How much of this token the deposit addresses of these wallets hold.
    function held(IVault vault, IERC20 token, address[] calldata wallets) external view returns (uint256[] memory amounts) {
        amounts = new uint256[](wallets.length);
        for (uint256 i = 0; i < wallets.length; i++) amounts[i] = token.balanceOf(addressOf(vault, wallets[i]));
    }

    /// @notice The deposit address of this wallet, whether it is deployed or not.
    function addressOf(IVault vault, address wallet) public view returns (address) {
        bytes memory code = abi.encodePacked(type(DepositAddress).creationCode, abi.encode(vault, wallet));
        return Create2.computeAddress(0, keccak256(code));
    }
}
